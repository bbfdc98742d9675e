#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# runtime/base/settings.c and doc/manual/gmon-keys.texi have the same keys of GMON, each with a text, an example and a
# test, and libgmon.3 has them, too, and the calls of include/gmon.h; the manual page is sound.
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/style.sh"

page=$(built_page libgmon.3)
texts=$srcdir/doc/manual/gmon-keys.texi

# The tags of the manual page's part that begins with the line $1, without fonts and arguments.
tags() {
	awk -v start="$1" '$0 == start { on = 1; next } on && /^\.S[SH]/ { on = 0 } on && tag { print; tag = 0 }
		on && /^\.TP/ { tag = 1 }' "$page" | sed 's/\\f[BIR]//g'
}

# keys_in_commands < TEXT: the keys that its words GMON=KEY=VALUE,KEY... have.
keys_in_commands() {
	grep -o "GMON=[^ \"')\`]*" | sed 's/^GMON=//' | tr , '\n' | sed 's/=.*//' | sort -u
}

make_scratch
cd "$scratch" || exit 1
sed -n '/settings_keys\[\]/,/^}/s/^\t{ "\([^"]*\)".*/\1/p' "$srcdir/runtime/base/settings.c" | sort >keys
sed -n 's/^@item \([a-z]*\).*/\1/p' "$texts" >items
sort items >told
check 'every key of GMON has its text' "$([ -s keys ] || echo none; comm -23 keys told)"
check 'every text is of a key' "$(comm -13 keys told)"
check 'keys are in alphabetic order' "$(sort -c items 2>&1)"
check 'each is in Texinfo that man.awk knows' \
	"$(awk -v check=1 -f "$srcdir/doc/man.awk" "$texts" "$srcdir/doc/libgmon.3.in" 2>&1 >libgmon.3)"
check 'no text is empty' "$(awk '/^@item/ { if (empty) print key; key = $2; empty = 1; next }
	/^@(c|example|smallexample|end)( |$)/ { if (empty) print key; empty = 0 } NF { empty = 0 }' "$texts")"
check 'the manual page is of these texts' "$(cmp libgmon.3 "$page" 2>&1)"
check 'the manual page has every key' "$(tags '.SS GMON' | sed 's/[=[].*//' | diff - items)"
grep -h '^\$ ' "$srcdir"/doc/manual/*.texi | keys_in_commands >shown
check 'an example in the manual uses every key' "$(comm -23 keys shown)"
cat "$srcdir"/tests/runtime/*.sh | grep -v '^[[:blank:]]*#' | keys_in_commands >tested
check 'a test of the runtime uses every key' "$(comm -23 keys tested)"

sed -n 's/^[a-z ]*[ *]\([a-z_]*\)(.*/\1/p' "$srcdir/include/gmon.h" | sort >calls
tags '.SS Calls' | sed 's/^\.[A-Z]* //; s/[(),"]/ /g; s/ /\n/g' | grep . | sort >told
check 'every call is in the manual page' "$([ -s calls ] && comm -23 calls told)"
if command -v groff >/dev/null; then
	check 'groff has no complaint' "$(groff -man -Tutf8 -ww "$page" 2>&1 >/dev/null)"
else
	tap_skip 'groff has no complaint' 'no groff: install Debian package groff'
fi
tap_done
