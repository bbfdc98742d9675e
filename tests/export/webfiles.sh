#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Formats: flamegraph webpage
#
# --export=webpage and flamegraph as files: widths, names as markup has them, bounds, source text. No browser.
# shellcheck disable=SC2317 # functions that expect() calls
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/export/lib.sh"

# occurrences PATTERN FILE
occurrences() {
	grep -o "$1" "$2" | wc -l
}

# Rows of a picture, from the whole outwards, in parts of a million: widths are the whole's or less, those of the row
# next to it all of it; none overlap.
check_rows() {
	awk -v FS='"' '
		/^<svg x="[0-9.]+%"/ {
			x = $2 * 10000; w = $6 * 10000; y = $4
			x = int(x + 0.5); w = int(w + 0.5)
			if (!n++)
				ground = y
			row[y] += w
			if (x < end[y]) { print "overlap: " $0; bad = 1 }
			end[y] = x + w
			if (x + w > 1000000) { print "outside: " $0; bad = 1 }
			order[n] = y
		}
		END {
			if (row[ground] != 1000000) { print "whole: " row[ground]; bad = 1 }
			next_to = order[2]
			if (row[next_to] != 1000000) { print "first row: " row[next_to]; bad = 1 }
			for (y in row)
				if (row[y] > 1000000) { print "row at " y ": " row[y]; bad = 1 }
			exit bad || n < 3
		}' "$1"
}

check_picture() {
	make_golden "$1"
	for shape in flame icicle; do
		"$GPROF" --export="flamegraph,shape=$shape" -o picture.svg
		check_rows picture.svg >said
		status=$?
		tap_check $status "$1, $shape: widths"
		tap_note <said
	done
	expect "$1: the mark" grep -q '>estimated from call counts</text>' picture.svg
	"$GPROF" --export=flamegraph -o - >again
	"$GPROF" --export=flamegraph -o picture.svg
	expect "$1: the same again" cmp -s again picture.svg
	if command -v xmllint >/dev/null; then
		expect "$1: XML" xmllint --noout picture.svg
	else
		tap_skip "$1: XML" "no xmllint (Debian package libxml2-utils)"
	fi
}

check_markup() {
	make_markup
	"$GPROF" --export=webpage -o page.html --export=flamegraph -o picture.svg
	expect 'page: names end no script' [ "$(occurrences '</script' page.html)" = 2 ]
	expect 'page: and begin none' [ "$(occurrences '<script' page.html)" = 2 ]
	expect 'page: no comment' fails grep -q '<!--' page.html
	expect 'page: the name is there' grep -qF '"\u003cscript\u003ewindow.pwned=1\u003c/script\u003e"' page.html
	expect 'page: no network' grep -q "default-src 'none'" page.html
	expect 'page: no address' fails grep -q 'https*:' page.html
	expect 'picture: names end no script' [ "$(occurrences '</script' picture.svg)" = 1 ]
	expect 'picture: the name is there' grep -qF '<title>&#60;script&#62;window.pwned=1&#60;/script&#62;' picture.svg
	expect 'picture: its script ends once' [ "$(occurrences ']]>' picture.svg)" = 1 ]
}

# Very many paths: a picture has no more than twice as many frames a row as it has half pixels, and so a page.
check_bounds() {
	mkdir many
	awk 'BEGIN {
		n = 3000
		printf "text 0x401000 %d\nsym main 0x401000\n", 16 * n
		for (i = 1; i < n; i++) printf "sym f%d %d\n", i, 4198400 + 16 * i
		printf "profile\nhist 0x401000 %d %d 100\n", 4198400 + 16 * n, n
		for (i = 1; i < n; i++) printf "tick %d 1\n", 4198400 + 16 * i
		for (i = 1; i < n; i++) printf "arc main %d 1\n", 4198400 + 16 * i
	}' >many.profile
	"$TOOLS/mkprofile" many.profile many
	for width in 400 1200; do
		"$GPROF" --export="flamegraph,width=$width" -o many.svg many/a.out many/gmon.out
		frames=$(grep -c '^<svg x=' many.svg)
		[ "$frames" -le $((2 + 4 * width)) ]
		tap_check $? "$width pixels: $frames frames"
	done
	"$GPROF" --export=flamegraph,width=400 -o many.svg many/a.out many/gmon.out
	expect 'small ones are together' grep -q '>\[2999 smaller\]$' many.svg
	check_rows many.svg >said
	tap_check $? 'and have all the width'
}

check_source() {
	mkdir source
	cat >source/tiny.c <<-'END'
		/* It says </script> & more. */
		int twice(int x)
		{
			return 2 * x;
		}

		int main(void)
		{
			return twice(21) != 42;
		}
	END
	if ! "$CC" -pg -g -o tiny source/tiny.c 2>said || ! ./tiny; then
		tap_skip "source text" "$CC -pg does not work here"
		return
	fi
	"$GPROF" --export=webpage -o page.html tiny
	expect 'source text' grep -qF '\u000aint twice(int x)\u000a{\u000areturn 2 * x;\u000a}\u000a' page.html
	expect 'with the comment above, as text' grep -qF '"/* It says \u003c/script\u003e \u0026 more. */' page.html
	"$GPROF" --export=webpage,source=no -o page.html tiny
	expect 'source=no' fails grep -qF 'return 2 * x' page.html
	rm source/tiny.c
	"$GPROF" --export=webpage -o page.html tiny 2>said
	expect 'source that is not found is not missed' [ ! -s said ]
}

# The times of lines, without what was inlined there, are those of csv, each line's functions added up; lines of inlined
# functions have theirs.
check_line_times() {
	if ! make_lines; then
		tap_skip "times of lines" "$CC -pg does not work here"
		return
	fi
	"$GPROF" --export=webpage -o page.html hot
	"$GPROF" --export=csv,table=lines -o lines.csv hot
	sed -n 's/^"lineInlined":\[\(.*\)\].*/\1/p' page.html | tr ',' '\n' |
		awk 'NR % 5 == 2 { line = $0 } NR % 5 == 4 { print "inlined", line, $0 }' >inlined.page
	sed -n 's/^"lineTimes":\[\(.*\)\].*/\1/p' page.html | tr ',' '\n' |
		awk 'NR % 4 == 2 { line = $0 } NR % 4 == 3 { print "line", line, $0 }' |
		awk '$1 == "inlined" { inlined[$2] += $3; next } $3 > inlined[$2] { print $2, ($3 - inlined[$2]) / 1e9 }' \
			inlined.page - >lines.page
	awk -F, '$1 ~ /hot\.c"$/ && $5 > 0 { sum[$2] += $5 } END { for (line in sum) print line, sum[line] }' \
		lines.csv | sort -n >lines.flat
	paste -d' ' lines.page lines.flat | awk '
		{ off = $2 - $4; if (NF != 4 || $1 != $3 || off > 1e-5 || off < -1e-5) { print; bad = 1 } }
		END { exit bad || NR < 2 }' >said
	tap_check $? "times of lines are those of csv"
	tap_note <said
	awk '$1 == 3 || $1 == 4 { n += $2 } END { exit n == 0 }' lines.page
	tap_check $? "an inlined line has some"
	"$GPROF" --export=webpage,source=no -o page.html hot
	expect 'source=no: no times of lines' grep -qF '"lineTimes":[]' page.html
}

# A profile without samples and calls makes a page that says so.
check_empty() {
	make_empty
	"$GPROF" --export=webpage -o page.html 2>said
	expect 'an empty page has no function' grep -q '"name":\[\]' page.html
}

make_scratch
cd "$scratch" || exit 99
check_picture cycles
check_markup
check_bounds
check_source
check_line_times
check_empty
tap_done
