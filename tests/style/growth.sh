#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Each source file is part of a feature, and no feature has grown by more than a twentieth since doc/growth.md was made.
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/style.sh"

make_scratch
cd "$scratch" || exit 99
"${SHELL:-/bin/sh}" "$srcdir/tests/tree.sh" growth >now || exit 99
check "each file is part of a feature of doc/features.list" "$(grep '^| none ' now)"
check "each feature has at most 1.05 of its lines in doc/growth.md, and 20" "$(
	awk -F ' *[|] *' '
		$4 !~ /^[0-9]+$/ { next }
		FNR == NR { had[$2] = $4; next }
		!($2 in had) { print $2 ": not in doc/growth.md: make growth" }
		$2 in had && $4 > had[$2] * 1.05 + 20 { print $2 ": " $4 " lines, were " had[$2] ": make growth" }
	' "$srcdir/doc/growth.md" now
)"
tap_done
