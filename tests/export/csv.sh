#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Formats: csv
#
# --export=csv: both tables, read by a reader of RFC 4180 in awk and, where there is one, by sqlite3.
# shellcheck disable=SC2016,SC2317 # functions that expect() calls, and their words
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/export/lib.sh"

# read_csv: records as lines, fields with '|' between them; in fields, '|' is "\p", a line's end "\n". Says what is
# wrong: quotes in bare fields, text behind the closing quote, records of different lengths.
read_csv() {
	awk '
	function end_field() { record = record (n++ ? "|" : "") field; field = ""; state = "begin" }
	function end_record() {
		end_field()
		if (NR > 1 && n != width && width)
			print "record of " n " fields, not " width
		if (!width)
			width = n
		print record
		record = ""
		n = 0
	}
	BEGIN { state = "begin" }
	{
		len = length($0)
		for (i = 1; i <= len; i++) {
			c = substr($0, i, 1)
			if (state == "quoted") {
				if (c == "\"") state = "closed"
				else field = field (c == "|" ? "\\p" : c)
			} else if (c == "\"" && state == "closed") {
				field = field c
				state = "quoted"
			} else if (c == ",") {
				end_field()
			} else if (c == "\"" && state == "begin") {
				state = "quoted"
			} else if (c == "\"" || state == "closed") {
				print "character " i " of line " NR ": " c
			} else {
				field = field c
				state = "bare"
			}
		}
		if (state == "quoted") field = field "\\n"
		else end_record()
	}
	END { if (state == "quoted") print "a quote that is not closed" }'
}

# What is in the tables, in `said'.
function_table() {
	"$GPROF" --export=csv -o csv 2>err && read_csv <csv >said
}
arc_table() {
	"$GPROF" --export=csv,table=arcs -o csv 2>err && read_csv <csv >said
}

# Ticks, calls and, in seconds, time as the tables have them.
sums() {
	function_table && awk -F '|' 'NR > 1 { ticks += $4; split($2, time, "."); ns += time[1] * 1e9 + time[2] }
		NR == 1 { timed = $2 == "self (s)" }
		END { printf "%.0f", ticks; if (timed) printf " %.0f", ns; print "" }' said
	arc_table && awk -F '|' 'NR > 1 { calls += $3 } END { printf "%.0f\n", calls }' said
}

check_golden() {
	for name in $(golden_names); do
		make_golden "$name"
		# shellcheck disable=SC2046 # words
		set -- $(golden_totals "$name")
		expect "$name: $*" [ "$(sums | tr '\n' ' ')" = "$1${3:+ $3} $2 " ]
	done
}

check_records() {
	make_golden cycles
	function_table
	expect 'the head' said_line 'function|self (s)|children (s)|samples|sampling standard deviation (s)|calls|recursive calls|cycle|file|line|address|linker name'
	expect 'a function' said_line 't|0.500000000|0.000000000|50|0.070710678|7|9|2|||0x4010a0|t'
	arc_table
	expect 'the head of arcs' said_line 'caller|callee|calls|time (s)|caller file|caller line|caller address|callee file|callee line|callee address'
	expect 'an arc' said_line 'r|s|6|0.675000000|||0x401060|||0x401080'
	make_golden dimension
	function_table
	expect 'samples in place of seconds' said_line 'work|3|0|3|2|4|0||||0x401020|work'
	make_saturated
	arc_table
	expect 'calls of 2^64-1' said_line 'work|leaf|18446744073709551615|0.000000000|||0x401020|||0x401040'
	make_hostile
	function_table
	sed 's/|.*//' said >names && mv names said
	expect 'commas and quotes' said_line 'a,b "q" x'
	expect 'lines' said_line 'two\nlines'
	expect 'characters of other notations' said_line '<a>&\;\p$.'
	expect 'bytes that are no text' said_line '���x��� ='
	expect 'control characters' said_line "$(printf "'\\t?[31mab?")"
	expect 'most time first' [ "$(sed -n 2p said)" = same ]
	function_table
	expect 'nothing is wrong' [ "$(awk -F '|' 'NF != 12' said | wc -l)" = 0 ]
}

# What a spreadsheet would reckon with.
check_formulas() {
	make_profile <<-END
		text 0x401000 0x200
		sym main 0x401000
		sym EQUALS 0x401020
		sym PLUS 0x401040
		sym MINUS 0x401060
		sym ATSIGN 0x401080
		profile
		hist 0x401000 0x401200 128 100
		tick EQUALS 1
		arc main EQUALS 1
		arc main PLUS 1
		arc main MINUS 1
		arc main ATSIGN 1
	END
	sed 's/EQUALS/=1+1\x27!/; s/PLUS/+[a]/; s/MINUS/-[b c/; s/ATSIGN/@SUM(A/' a.out >changed && mv changed a.out
	function_table
	expect 'no cell is a formula' '! grep -q "[|][-=+@]" said && ! grep -q "^[-=+@]" said'
	cut -d '|' -f 1 said >names
	for name in "=1+1'!" '+[a]' '-[b c' '@SUM(A'; do
		expect "the name $name" grep -qxF -e "'$name" names
	done
	arc_table
	expect 'nor is one in the table of arcs' '! grep -q "[|][-=+@]" said'
	expect 'a callee' grep -qF "main|'=1+1'!|1|" said
}

check_sqlite() {
	if ! sqlite3 -version >log 2>&1; then
		tap_skip 'sqlite3' 'no sqlite3 (Debian package sqlite3)'
		return
	fi
	"$GPROF" --export=csv -o flat.csv --export=csv,table=arcs -o arcs.csv
	sqlite3 -batch >said 2>err <<-END
		.mode csv
		.import flat.csv flat
		.import arcs.csv arcs
		.mode list
		SELECT count(*), sum(samples), printf('%.9f', sum("self (s)")) FROM flat;
		SELECT count(*), sum(calls) FROM arcs;
		SELECT calls FROM arcs WHERE callee = 'two' || char(10) || 'lines';
		SELECT samples FROM flat WHERE function = 'a,b "q" x';
	END
	expect 'sqlite3 reads hostile names' [ "$(tr '\n' ' ' <said)$(cat err)" = '11|55|0.550000000 10|55 2 1 ' ]
}

# Stacks of a program that does not count its calls: 0 would be a number of them.
check_uncounted() {
	make_profile <<-END
		text 0x401000 0x80
		sym main 0x401000
		sym leaf 0x401020
		sym etext 0x401040 notype
		profile
		hist 0x401000 0x401080 32 100
		tick leaf 1
		stack 1 main+4 leaf+4
	END
	function_table
	expect 'calls that were not counted are empty' '[ "$(grep -c "^\(leaf\|main\)|.*|0.01[0-9]*|||\|^main|[^|]*|[^|]*|0|[^|]*|||" said)" = 2 ]'
	arc_table
	expect 'those of arcs, too' 'grep -q "^main|leaf||0.01" said'
	"$GPROF" --export=markdown -o said 2>err
	expect 'markdown has no column of them' 'grep -qxF "| self s | % | inclusive | function |" said &&
		grep -qxF "| 0.010 | 100.0 | 0.010 | \`leaf\` |" said && grep -qxF "1 sample" said'
	"$GPROF" --export=json -o said 2>err
	expect 'json tells that from none' 'grep -q "\"calls\":0,\"calls_counted\":false" said'
	"$GPROF" --export=webpage -o said 2>err
	expect 'so does the page' 'grep -q "\"counted\":0" said'
}

make_scratch
cd "$scratch" || exit 99
check_uncounted
rm -f gmon.out.ext
check_golden
check_records
check_sqlite
check_formulas
tap_done
