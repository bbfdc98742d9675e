#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# src/run/line/options.def, the manual page and --help name the same options, each of which some test uses; --help fits
# a terminal; the manual page is sound.
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/style.sh"

page=$(built_page gprof.1)

# The rows of the table, as "-x" and "--long-name".
table_options() {
	awk '/^(OPT|OWN)\(/ {
		if (match($0, /^O[PW][TN]\('\''.'\''/))
			print "-" substr($0, RLENGTH - 1, 1)
		if (match($0, /"[^"]*"/) && RLENGTH > 2)
			print "--" substr($0, RSTART + 1, RLENGTH - 2)
	}' "$srcdir/src/run/line/options.def" | sort -u
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
	sed 's/\\f\[[A-Z]*\]//g; s/\\f(..//g; s/\\f.//g; s/\\-/-/g; s/"//g; /^\.\\/d' "$page"
}
manual_tags() {
	plain_manual | awk 'tag { print; tag = 0 } /^\.T[PQ]/ { tag = 1 }'
}

# unused_rows KIND FILE...: the rows of the table, OPT or OWN, that no command line in the files uses by
# letter, perhaps behind others, or by name, perhaps shortened. In a shell command, the words behind
# `gprof' count.
unused_rows() {
	kind=$1
	shift
	awk -v kind="$kind" -v table="$srcdir/src/run/line/options.def" '
	function use_name(word,  i, found, n) {
		sub(/=.*/, "", word)
		for (i = 1; i <= rows; i++) {
			if (name[i] == word) {
				used[i] = 1
				return
			}
			if (name[i] != "" && index(name[i], word) == 1) {
				found = i
				n++
			}
		}
		if (n == 1)
			used[found] = 1
	}
	function use_letters(word,  i) {
		for (; word != ""; word = substr(word, 2)) {
			for (i = 1; i <= rows && letter[i] != substr(word, 1, 1); i++)
				;
			used[i] = 1
			if (i > rows || argument[i] != "NONE")
				return
		}
	}
	BEGIN {
		while ((getline row < table) > 0) {
			if (row !~ /^(OPT|OWN)\(/)
				continue
			rows++
			split(row, field, /[(,] */)
			is_kind[rows] = field[1] == kind
			letter[rows] = field[2] == "0" ? "" : substr(field[2], 2, 1)
			name[rows] = substr(field[3], 2, length(field[3]) - 2)
			argument[rows] = field[4]
		}
	}
	/^#/ { next }
	{
		n = split($0, command, /[;|&<>]/)
		for (c = 1; c <= n; c++) {
			if ($0 ~ /(^|[ ;|&])gprof / && !sub(/^.*gprof /, "", command[c]))
				continue
			nwords = split(command[c], word, " ")
			for (i = 1; i <= nwords && word[i] != "--"; i++) {
				if (word[i] ~ /^--./)
					use_name(substr(word[i], 3))
				else if (word[i] ~ /^-[^-]/)
					use_letters(substr(word[i], 2))
			}
		}
	}
	END {
		for (i = 1; i <= rows; i++) {
			if (is_kind[i] && !used[i])
				print letter[i], name[i]
		}
	}' "$@"
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
check "no line of --help is longer than 79 columns" "$("$GPROF" --help </dev/null | awk 'length > 79')"
check "--help begins with five examples, of --run first" "$("$GPROF" --help </dev/null | awk '
	/^$/ && n++ == 1 { exit }
	/^  gprof / { examples++; runs += / --run/ && examples == 1 }
	END { if (examples != 5 || !runs) print examples + 0 }')"
check "every option of --help is under a heading" "$("$GPROF" --help </dev/null |
	awk '/^[A-Z].*:$/ { heading = 1 } /^  +-/ && !heading')"
check "every heading of --help is one of the manual page" "$("$GPROF" --help </dev/null |
	sed -n 's/^\([A-Z].*\):$/.SS \1/p' | while read -r heading; do grep -qx "$heading" "$page" || echo "$heading"; done)"
check "a differential test uses every option of GNU gprof" \
	"$(unused_rows OPT "$srcdir"/tests/differential/options*)"
sed -n 's/^.*"[$]GPROF" /gprof /p' "$srcdir"/tests/golden/*.sh \
	"$srcdir"/tests/screen/*.sh "$srcdir"/tests/export/*.sh "$srcdir"/tests/runtime/run.sh \
	"$srcdir"/tests/runtime/versus.sh "$srcdir"/tests/runtime/history.sh >commands
check "a golden, screen, export or --run test uses every option of our own" \
	"$(unused_rows OWN commands "$srcdir"/tests/golden/*.cmd)"

what="groff has no complaint about the manual page"
if command -v groff >/dev/null; then
	check "$what" "$(groff -man -Tascii -ww -z "$page" 2>&1)"
else
	tap_skip "$what" "no groff (Debian package groff-base)"
fi
# keys OPTION: those that an error about an unknown one lists, one a line.
keys() {
	"$GPROF" "$1?" true 2>&1 </dev/null | sed -n 's/ and /, /; s/^.* knows these keys: //p' | sed 's/=[^ ,]*//g' |
		tr -s ', ' '\n'
}
for option in '--diff=x,' '--order=ld,' --ranks= --run=; do
	keys "$option" | sed "s/^/$option/"
done >option_keys
check "each key of an option is in the manual" "$([ "$(wc -l <option_keys)" -gt 30 ] || cat option_keys
	while read -r line; do
		grep -qE "(@(code|samp)\{|@item |[,=])${line##*[,=]}([=},]|\$)" "$srcdir"/doc/manual/*.texi || echo "$line"
	done <option_keys)"
tap_done
