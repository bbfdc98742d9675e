#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# src/options.def, the manual page and --help name the same options; the manual page is sound.
. "${srcdir:-$(dirname "$0")/../..}/tests/style/lib.sh"

manual=$srcdir/doc/gprof.1

# The rows of the table, as "-x" and "--long-name".
table_options() {
	awk '/^(OPT|OWN)\(/ {
		if (match($0, /^OPT\('\''.'\''/))
			print "-" substr($0, RLENGTH - 1, 1)
		if (match($0, /"[^"]*"/) && RLENGTH > 2)
			print "--" substr($0, RSTART + 1, RLENGTH - 2)
	}' "$srcdir/src/options.def" | sort -u
}

# The options in the text on stdin, "-xARG" as "-x".
text_options() {
	awk '{
		while (match($0, /(^|[^[:alnum:]_-])--?[[:alnum:]][[:alnum:]-]*/)) {
			word = substr($0, RSTART, RLENGTH)
			$0 = substr($0, RSTART + RLENGTH)
			sub(/^[^-]/, "", word)
			print word ~ /^--/ ? word : substr(word, 1, 2)
		}
	}' | sort -u
}

# The manual without fonts, quotes and escapes; its tags are the lines after .TP and .TQ.
plain_manual() {
	sed 's/\\f\[[A-Z]*\]//g; s/\\f(..//g; s/\\f.//g; s/\\-/-/g; s/"//g; /^\.\\/d' "$manual"
}
manual_tags() {
	plain_manual | awk 'tag { print; tag = 0 } /^\.T[PQ]/ { tag = 1 }'
}

make_scratch
cd "$scratch" || exit 1
table_options >table
manual_tags | text_options >tags
plain_manual | text_options | grep '^--' >mentioned
"$GPROF" --help </dev/null | text_options >help

check "options.def has rows" "$([ -s table ] || echo none)"
check "every option has a tag in the manual page" "$(comm -23 table tags)"
check "every tag in the manual page is an option" "$(comm -13 table tags)"
check "the manual page mentions no other long option" "$(comm -13 table mentioned)"
check "--help has every option" "$(comm -23 table help)"
check "--help has no other option" "$(comm -13 table help)"

what="groff has no complaint about the manual page"
if command -v groff >/dev/null; then
	check "$what" "$(groff -man -Tascii -ww -z "$manual" 2>&1)"
else
	tap_skip "$what" "no groff (Debian package groff-base)"
fi
tap_done
