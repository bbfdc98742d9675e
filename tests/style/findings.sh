#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Each finding of --explain has a sentence, advice, a place in the manual page and the manual, a situation in which it
# is found, and a unit test.
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/style.sh"

# The rows of the table, as "NAME SEVERITY KEY" and, behind them, "sentence" and "advice" if it has those.
rows() {
	awk '
		/^FINDING\(/ {
			split($0, field, /[(,] */)
			split($0, quoted, "\"")
			row = field[2] " " field[3] " " quoted[2]
			texts = 0
			$0 = substr($0, index($0, "\"") + length(quoted[2]) + 2)
		}
		row != "" {
			strings = $0
			while (match(strings, /"([^"\\]|\\.)*"/)) {
				if (RLENGTH > 2)
					row = row (texts == 0 ? " sentence" : texts == 1 ? " advice" : "")
				texts++
				strings = substr(strings, RSTART + RLENGTH)
			}
		}
		row != "" && /\)$/ {
			print row
			row = ""
		}' "$srcdir/src/model/findings.def"
}

# tags < TEXT: the words that a text in Texinfo or roff has as the tags of lists.
tags() {
	sed -n -e 's/\\-/-/g' -e 's/^\.BR* //p' -e 's/^@itemx* //p' | tr -d '"' | sed 's/, */ /g' | tr -s ' ' '\n' | grep . | sort -u
}

make_scratch
cd "$scratch" || exit 1
rows >table
cut -d ' ' -f 3 table | sort -u >keys
awk '$2 == "CAUSE" { print $3 }' table | sort -u >causes
check "findings.def has rows" "$([ -s causes ] || echo none)"
check "each finding has a sentence" "$(awk '$4 != "sentence"' table)"
check "each cause has advice" "$(awk '$2 == "CAUSE" && $5 != "advice"' table)"
sed -n '/^\.SS What may be wrong/,/^\.SH/p' "$(built_page gprof.1)" | tags >told
check "each key is in the manual page" "$(comm -23 keys told)"
sed -n '/^@node What May Be Wrong/,/^@node/p' "$srcdir"/doc/manual/reports.texi | tags >told
check "each cause is in the manual" "$(comm -23 causes told)"
sed -n 's/^\([a-z-]*\) *|.*/\1/p' "$srcdir/tests/explain/situations.list" | sort -u >made
check "each cause has a situation in which it is found" "$(comm -23 causes made)"
check "each situation is one of a cause" "$(comm -13 causes made)"
check "each finding has a unit test" "$(while read -r name _; do
	grep -qw "FOUND_$name" "$srcdir"/tests/unit/analysis_diagnose.c "$srcdir"/tests/unit/analysis_unwound.c ||
		echo "$name"
done <table)"
tap_done
