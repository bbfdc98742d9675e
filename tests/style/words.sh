#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The words of the test scripts mean one thing: what tests/lib/ or a folder's lib.sh defines, no other file does.
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/style.sh"

cd "$srcdir" || exit 1
check "no word of tests/lib or of a folder is defined twice" "$(
	find tests -path tests/tmp -prune -o -name '*.sh' -exec grep -HoE '^[a-z_0-9]+\(\)' {} + | awk -F: '
		{ files[$2] = files[$2] " " $1; n[$2]++ }
		$1 ~ /^tests\/lib\/|lib\.sh$/ { shared[$2] }
		END { for (word in shared) if (n[word] > 1) print word " is defined in" files[word] }' | sort
)"
check "each word of tests/lib is explained where it is defined" "$(
	awk '/^[a-z_]+\(\)/ && before !~ /^#/ { print FILENAME ": " $0 } { before = $0 }' tests/lib/*.sh
)"
tap_done
