#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# No source file over 600 lines, no C function over 60 from its brace to its brace.
. "${srcdir:-$(dirname "$0")/../..}/tests/style/lib.sh"

cd "$srcdir" || exit 1
check "no file over 600 lines" "$(
	find bootstrap configure.ac Makefile.am src include runtime tests doc/example \
		-path tests/tmp -prune -o \( -name '*.[chS]' -o -name '*.def' -o -name '*.sh' -o -name '*.am' \
		-o -name configure.ac -o -name bootstrap \) \
		-exec awk 'FNR == 601 { print FILENAME " is longer" }' {} +
)"
check "no function over 60 lines" "$(
	find src include runtime tests doc/example -path tests/tmp -prune -o -name '*.[ch]' -exec awk '
		/^{/ { start = FNR; name = before }
		/^}/ && start {
			if (FNR - start + 1 > 60)
				print FILENAME ":" start ": " FNR - start + 1 " lines: " name
			start = 0
		}
		{ before = $0 }' {} +
)"
tap_done
