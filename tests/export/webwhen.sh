#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Formats: webpage
#
# --export=webpage of a recording with slices of the time, in a browser: rows of threads, and the figures of ranges.
# shellcheck disable=SC2016 # conditions for expect
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/export/lib.sh"
# shellcheck source=browser.sh
. "$srcdir/tests/export/browser.sh"

# expect_ranges NAMES COLOURS WORDS RANGE...: what web-when.js wants; a range is "FROM TO THREAD", each may be "".
expect_ranges() {
	printf '<script id="expected" type="application/json">{"names": %s, "colours": %s, "words": "%s", "ranges": {' \
		"$1" "$2" "$3"
	shift 3
	comma=
	for range; do
		from=${range%% *} rest=${range#* }
		to=${rest%% *} thread=${rest#* }
		printf '%s"%s": [' "$comma" "$range"
		comma=,
		[ "$thread" != all ] || thread=
		"$GPROF" -b --inclusive ${from:+--from="$from"} ${to:+--to="$to"} ${thread:+--thread-view="$thread"} 2>>err |
			awk '/^ time / { begun = 1; at = index($0, "  name") + 2; next }
				begun && $2 > 0 { printf "%s\"%s %s %s\"", (n++ ? "," : ""), $2, $3, substr($0, at) }'
		echo ']'
	done
	echo '}}</script>'
}

# More slices than a page has columns.
make_fine() {
	make_profile <<-END
		text 0x401000 0x80
		sym main 0x401000
		sym leaf 0x401040
		profile
		hist 0x401000 0x401080 32 100
		tick leaf 60
		module a.out 0x401000 0x401080 0 00112233445566778899aabbccddeeff00112233 program
		thread 100 demo 1000000000
		timeline 1790000000000000000 1000000 4096
		stack 60 main+4 leaf+4
		slice 0 20
		slice 2000 20
		slice 4095 20
	END
}

make_scratch
cd "$scratch" || exit 99
make_fine
"$GPROF" --export=webpage,source=no -o fine.html 2>err
evidence=fine.html
n=$(sed -n 's/^"when":.*"columns":\([0-9]*\),"timeless":0,"rows":\[\[0,2,1,20,[0-9]*,2,1,20,[0-9]*,2,1,20\]\]},$/\1/p' fine.html)
expect "many slices become at most 800 columns, $n, with all ticks" '[ -n "$n" ] && [ "$n" -gt 400 ] && [ "$n" -le 800 ]'
"$GPROF" --estimated --export=webpage,source=no -o none.html 2>err
expect 'without call stacks there is no row' '! grep -q "^\"when\":" none.html'
find_browser >reason
if [ -s reason ]; then
	tap_skip 'rows and ranges in a browser' "$(cat reason)"
	tap_done
fi
make_golden slices
"$GPROF" --export=webpage,source=no -o page.html 2>err && (cat page.html && expect_ranges \
	'["shop (TID 4711)", "worker (TID 4712)"]' \
	'[["warm","warm","warm","warm","warm","warm"],["","warm","warm","warm","",""]]' 'shop (TID 4711): 2.96 s' \
	'1  all' ' 1 all' '0.5 1.5 all' '1 2 worker' '0.5 3 shop' \
	'1.25  all' '1.26  all' ' 1.75 all' ' 1.74 all') >slices.html
use slices.html web-when.js
use page.html web-paper.js
make_golden slices-waiting
"$GPROF" --export=webpage,source=no -o page.html 2>err && (cat page.html && expect_ranges '["a.out"]' \
	'[["warm","warm","cold","cold"]]' 'a.out: 1.00 s on the CPU, 1.00 s waiting' ' 1 all') >waits.html
use waits.html web-when.js
check_rules page.html '#/summary' '#/graph'
tap_done
