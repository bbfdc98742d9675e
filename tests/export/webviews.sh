#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Formats: webpage
#
# Views of --export=webpage in a browser that need programs of their own: inlined functions, source text.
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/export/lib.sh"
# shellcheck source=browser.sh
. "$srcdir/tests/export/browser.sh"

# The functions of --top, as web-inlined.js wants them.
expect_inlined() {
	"$GPROF" --top=10 a.out >top 2>err
	awk 'BEGIN { printf "<script id=\"expected\" type=\"application/json\">{\"rows\": [" }
		/ function / { begun = 1; next }
		begun && $1 ~ /^[0-9.]+$/ { name = $0; sub(/^[ 0-9.]*([nmu]?s )? */, "", name); sub(/ .*/, "", name)
			printf "%s[\"%s\", %s]", (n++ ? ", " : ""), name, (/ inl[.] / ? "true" : "false") }
		END { print "], \"lines\": [" }' top
	"$GPROF" --source=work a.out >listing 2>err
	awk '$1 ~ /^[0-9.]+$/ && $2 ~ /^[0-9.]+$/ && $3 ~ /^[0-9.]+$/ && $4 ~ /^[0-9]+$/ && $5 ~ /^[0-9]+$/ {
		printf "%s[%s, \"%s\", \"%s\"]", (n++ ? ", " : ""), $5, $2, $3 }' listing
	echo ']}</script>'
}

# What --source=NAME,asm has, as web-code.js wants it.
expect_code() {
	echo '<script id="expected" type="application/json">{'
	comma=
	for function in main work; do
		"$GPROF" -b --source=$function,asm a.out 2>err | sed 's/> *\([0-9a-f]\)/ \1/' >listing
		# Calls are behind three numbers, or alone.
		awk -v name=$function '
			function hex(word) { return word ~ /^[0-9a-f]+$/ && length(word) >= 6 }
			/address  instruction/ { has_calls = /calls/; next }
			NF < 2 || /^[^ ]/ { next }
			$1 ~ /^[0-9]+\.[0-9]+$/ && $3 ~ /^[0-9]+\.[0-9]+$/ {
				counted = has_calls && $4 ~ /^[0-9]+$/ && hex($5)
				address = counted ? $5 : $4
				times = times (times == "" ? "" : ", ") "\"" address " " $2 "\""
				if (counted) calls = calls (calls == "" ? "" : ", ") "\"" address " " $4 "\""
				next
			}
			has_calls && $1 ~ /^[0-9]+$/ && hex($2) { calls = calls (calls == "" ? "" : ", ") "\"" $2 " " $1 "\"" }
			END { printf "\"%s\": {\"times\": [%s], \"calls\": [%s]}", name, times, calls }' listing |
			sed "1s/^/$comma/"
		comma=,
	done
	echo '}</script>'
}

make_scratch
cd "$scratch" || exit 99
find_browser >reason
[ ! -s reason ] || tap_skip_all "$(cat reason)"
if make_inlined; then
	"$GPROF" --export=webpage -o page.html a.out && (cat page.html && expect_inlined) >inlined.html
	use inlined.html web-inlined.js
	(cat page.html && expect_code) >code.html
	use code.html web-code.js
	"$GPROF" --export=webpage,inlined=no -o page.html --export=speedscope -o page.json --export=csv -o csv \
		--export=flamegraph -o page.svg a.out
	! grep -q "[a-z] (inlined)\"" page.html csv
	tap_check $? 'inlined=no: none are; nor in formats that did not ask'
	grep -q '"mixed (inlined)"' page.json && grep -q 'class="c[0-9]* i.* data-n="mixed"' page.svg
	tap_check $? 'beside it, in those that did'
else
	tap_skip 'inlined functions' "$CC -pg does not work here"
fi
tap_done
