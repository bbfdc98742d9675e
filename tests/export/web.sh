#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Formats: flamegraph webpage
#
# --export=webpage and flamegraph in a browser: sorting, searching, keys, history, names that try to be markup, source
# text, what a page of 10,000 functions takes. Scripts beside this one use the pages and say what they saw.
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/export/lib.sh"
# shellcheck source=browser.sh
. "$srcdir/tests/export/browser.sh"

# 10,000 functions with long names, and 30,000 calls.
make_large() {
	mkdir large
	awk 'BEGIN {
		n = 10000
		printf "text 0x401000 %d\nsym main 0x401000\n", 32 * n
		for (i = 1; i < n; i++)
			printf "sym _ZN7project6module5ClassIiE%df%dEPKcmRKSsNS_3MapE %d\n", length("f" i), i, 4198400 + 32 * i
		printf "profile\nhist 0x401000 %d %d 1000\n", 4198400 + 32 * n, n
		for (i = 1; i < n; i += 2)
			printf "tick %d %d\n", 4198400 + 32 * i, 1 + 3000 / i
		for (i = 1; i < n; i++) {
			for (k = 1; k <= 3; k++)
				printf "arc %d %d %d\n", 4198400 + 32 * int(i * k / 5), 4198400 + 32 * i, i * 7919 % 100000 + 1
		}
	}' >large.profile
	"$TOOLS/mkprofile" large.profile large || exit 99
}

# Calls to and fro, a library, threads of one name, broken stacks.
make_threads() {
	make_profile <<-END
		text 0x401000 0x200
		sym main 0x401000
		sym even 0x401020
		sym odd 0x401040
		sym leaf 0x401060
		sym spawn 0x401080
		sym pack 0x4010a0
		profile
		hist 0x401000 0x401200 128 100
		tick leaf 68
		arc main+4 even 7
		arc even+4 odd 30
		arc odd+4 even 20
		arc even+8 leaf 9
		module a.out 0x401000 0x401200 0 00112233445566778899aabbccddeeff00112233 program
		module /lib/libm.so.6 0x70001000 0x70002000 0x70000000 abcdef01
		thread 100 demo 1000000000
		stack 7 main+4 even+4 odd+4 even+8 leaf+4
		stack 5 main+4 even+8 leaf+6
		stack 3 main+4 even+4 odd+4 even+4 odd+6
		stack 11 main+4 even+4 libm.so.6:0x1020 libm.so.6:0x1030
		thread 101 worker 500000000
		stack 13 spawn+4 even+4 odd+8
		stack 1 spawn+4 spawn+4 main+4
		thread 102 worker 500000000
		stack 17 spawn+4 leaf+8 pack+4
		stack 4 guessed even+4 odd+8
		stack 7 broken odd+4 even+8 leaf+4
	END
}

# Call stacks alone; the record of calls that is there has none.
make_uncounted() {
	make_profile <<-END
		text 0x401000 0x80
		sym main 0x401000
		sym leaf 0x401040
		profile
		hist 0x401000 0x401080 32 100
		tick leaf 20
		arc main+4 leaf 0
		module a.out 0x401000 0x401080 0 00112233445566778899aabbccddeeff00112233 program
		thread 100 demo 1000000000
		stack 20 main+4 leaf+4
	END
}

# What --top has, as web-page.js wants it.
expect_top() {
	"$GPROF" --top=10 >top
	echo '<script id="expected" type="application/json">{"wrong": ['
	sed -n 's/^! \([^:]*\): .*/"\1"/p' top | paste -sd,
	echo '], "shares": ['
	awk '/function/ { begun = 1; next } begun && $1 ~ /^[0-9.]+$/ { print $1 }' top | paste -sd,
	sed -n 's/^.*written \(.*\)$/], "written": "\1"/p' top
	awk '/ leaf / { print ", \"caller\": \"~" $(NF - 1) " %" $NF "\"}" }' top
	echo '</script>'
}

# The page with the errors that --top has, as web-errors.js wants them: as it comes, and at another level.
use_errors() {
	make_profile <<-END
		text 0x401000 0x60
		sym main 0x401000
		sym work 0x401020
		sym leaf 0x401040
		profile
		hist 0x401000 0x401060 24 100
		tick main 4
		tick work 17
		tick leaf 50
	END
	for level in 95 80; do
		option=
		[ $level = 95 ] || option=--confidence=$level
		{
			"$GPROF" ${option:+"$option"} --export=webpage -o -
			echo '<script id="expected" type="application/json">{"level": '$level', "errors": {'
			"$GPROF" ${option:+"$option"} --top=5 |
				awk '$1 ~ /^[0-9]/ && NF == 4 { printf "%s\"%s\": \"%s\"", (n++ ? ", " : ""), $4, $3 }'
			echo '}}</script>'
		} >errors-$level.html
		use errors-$level.html web-errors.js
	done
}

# What --inclusive has of each thread, "" being all, as web-threads.js wants it.
expect_threads() {
	echo '<script id="expected" type="application/json">{'
	comma=
	for thread in '' 100 101 102; do
		echo "$comma\"$thread\": ["
		comma=,
		"$GPROF" -b --inclusive ${thread:+--thread-view="$thread"} | awk '
			/^ time / { begun = 1; at = index($0, "  name") + 2; next }
			begun && $2 > 0 { print $2, $3, substr($0, at) }' | LC_ALL=C sort |
			awk '{ printf "%s\"%s\"", (NR > 1 ? "," : ""), $0 } END { print "]" }'
	done
	echo ',"objects": ['
	"$GPROF" -b --objects | awk '
		/^Flat/ { exit }
		/^ *[0-9]/ { printf "%s[\"%s\", \"%s\", \"%s\"]", (n++ ? ", " : ""), $NF, $1, $2 }'
	echo ']}</script>'
}

# A program with its data file, of two source files, with text of both.
make_source() {
	mkdir source && cd source || exit 99
	echo 'int twice(int x) { return 2 * x; }' >twice.c
	printf '%s\n' 'int twice(int x);' 'int main(void) { return twice(21) != 42; }' >main.c
	"$CC" -O0 -g -pg main.c twice.c -o ../s.out 2>../log
	cd .. || exit 99
	[ -x s.out ] && ./s.out
}

# check_plain PAGE FUNCTION: without scripts there are the functions with most time, and the flame graph.
check_plain() {
	sed -n '/^<noscript>/,/<\/noscript>/p' "$1" >plain.html
	evidence=plain.html
	expect "$1: without scripts, the head of the summary" "grep -q '<p>[0-9.]* s, [0-9]* samples' plain.html"
	expect "$1: without scripts, functions and a picture" "grep -q '<td class=.text.>$2</td><td>[0-9.]* %' plain.html && grep -q '<svg.*class=.top.' plain.html"
}

make_scratch
cd "$scratch" || exit 99
find_browser >reason
[ ! -s reason ] || tap_skip_all "$(cat reason)"
make_markup
"$GPROF" --export=webpage -o page.html --export=flamegraph -o picture.svg || exit 99
check_policy page.html 'data-ready='
check_plain page.html leaf
"$GPROF" --diff=gmon.out --export=webpage -o difference.html || exit 99
check_policy difference.html 'id="picture"><iframe'
expect_top >>page.html
use page.html web-page.js
use picture.svg web-picture.js
if make_source; then
	"$GPROF" --export=webpage -o source.html s.out || exit 99
	use source.html web-source.js
else
	tap_skip 'source.html' "$CC -pg does not work here"
fi
if make_lines; then
	"$GPROF" --export=webpage -o times.html hot
	"$GPROF" -l --export=webpage -o lines.html hot
	use times.html web-lines.js
	use lines.html web-lines.js
else
	tap_skip "times of lines, callers with -l" "$CC -pg does not work here"
fi
make_threads
"$GPROF" --export=webpage,source=no -o all.html && (cat all.html && expect_threads) >threads.html
use threads.html web-threads.js
"$GPROF" --estimated --export=webpage,source=no -o page.html
grep -q '"threads":\|"quality":' page.html
tap_check $((!$?)) 'without stacks there is nothing of threads'
awk 'BEGIN {
	print "text 0x401000 0x20\nsym main 0x401000\nprofile\nhist 0x401000 0x401020 8 100\ntick main 820"
	print "module a.out 0x401000 0x401020 0 00112233445566778899aabbccddeeff00112233 program"
	for (i = 1; i <= 40; i++)
		print "thread", 100 + i, "many 1000\nstack", i, "main+4"
}' >many.profile
make_profile many.profile
use_errors
make_golden waiting
"$GPROF" --export=webpage,source=no -o waiting.html 2>/dev/null
use waiting.html web-waiting.js
make_profile many.profile
"$GPROF" --export=webpage,source=no -o many.html
use many.html web-others.js
make_uncounted
"$GPROF" --export=webpage,source=no -o uncounted.html
use uncounted.html web-uncounted.js
make_golden ranks
"$GPROF" --export=webpage,source=no -o ranks.html a.out gmon.out gmon.2 gmon.3 gmon.4
use ranks.html web-ranks.js
check_rules ranks.html '#/ranks'
make_golden blame
"$GPROF" --export=webpage,source=no -o locks.html
use locks.html web-locks.js
check_rules locks.html '#/locks' '#/summary'
make_empty
"$GPROF" --export=webpage -o empty.html 2>said
use empty.html web-empty.js
make_large
(cd large && "$GPROF" --export=webpage -o ../large.html) || exit 99
size=$(wc -c <large.html)
[ "$size" -lt 2000000 ]
tap_check $? "10,000 functions: $size bytes"
use large.html web-large.js
tap_done
