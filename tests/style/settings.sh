#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# runtime/settings.c, include/gmon.h and doc/libgmon.3 name the same keys and calls; the manual page is sound.
. "${srcdir:-$(dirname "$0")/../..}/tests/style/lib.sh"

manual=$srcdir/doc/libgmon.3

# The tags of the manual page's part that begins with the line $1, without fonts and arguments.
tags() {
	awk -v start="$1" '$0 == start { on = 1; next } on && /^\.S[SH]/ { on = 0 } on && tag { print; tag = 0 }
		on && /^\.TP/ { tag = 1 }' "$manual"
}

make_scratch
cd "$scratch" || exit 1
sed -n 's/^.*text_equal(key, "\([^"]*\)").*/\1/p' "$srcdir/runtime/settings.c" | sort >keys
tags '.SS GMON' | sed 's/^\.BI* //; s/=.*//' | sort >told
check 'every key of GMON is in the manual page' "$([ -s keys ] && comm -23 keys told)"
check 'every key in the manual page is one' "$(comm -13 keys told)"
check 'keys are in alphabetic order' "$(tags '.SS GMON' | sed 's/^\.BI* //; s/=.*//' | sort -c 2>&1)"

sed -n 's/^[a-z ]*[ *]\([a-z_]*\)(.*/\1/p' "$srcdir/include/gmon.h" | sort >calls
tags '.SS Calls' | sed 's/^\.[A-Z]* //; s/[(),"]/ /g; s/ /\n/g' | grep . | sort >told
check 'every call is in the manual page' "$([ -s calls ] && comm -23 calls told)"
if command -v groff >/dev/null; then
	check 'groff has no complaint' "$(groff -man -Tutf8 -ww "$manual" 2>&1 >page)"
else
	tap_skip 'groff has no complaint' 'no groff: install Debian package groff'
fi
tap_done
