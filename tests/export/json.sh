#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Formats: json
#
# --export=json: totals, records that stand in lines, names; jq reads it and a validator finds it as doc/export-schema.json
# says, where there are such.
# shellcheck disable=SC2016,SC2317 # what is evaluated later, and functions that expect() calls
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/export/lib.sh"
# shellcheck source-path=SCRIPTDIR source=../lib/run.sh
. "$srcdir/tests/lib/run.sh"

# export_json NAME OPTION...: the export of what is here, also kept as all/NAME.json.
export_json() {
	kept=all/$1.json
	shift
	"$GPROF" --export=json -o said "$@" 2>err && cp said "$kept"
}

# has_record RECORD: it is a line of said, perhaps with a comma behind it.
has_record() {
	sed 's/,$//' said | grep -qxF -e "$1"
}

# Ticks, calls and, if there is any time, nanoseconds, as the lines add up.
sums() {
	awk '
	function number(key) {
		return match($0, "\"" key "\":[0-9]+") ? substr($0, RSTART + length(key) + 3, RLENGTH - length(key) - 3) : 0
	}
	/^"unit":\{"time":"nano/ { timed = 1 }
	/^"totals":/ { given = number("samples") " " number("calls") (timed ? " " number("time") : "") }
	/^\{"id":/ { ticks += number("samples"); time += number("self") }
	/^\{"from":/ { calls += number("calls") }
	END {
		sum = sprintf("%.0f %.0f", ticks, calls) (timed ? sprintf(" %.0f", time) : "")
		print given == sum ? sum : "totals " given " and sums " sum
	}' said
}

check_golden() {
	for name in $(golden_names); do
		make_golden "$name"
		total=$(golden_totals "$name")
		export_json "$name"
		expect "$name: $total" [ "$(sums)" = "$total" ]
	done
	make_golden stacks
	export_json stacks
	expect 'stacks' grep -q '^"measured":true' said
}

check_records() {
	make_golden cycles
	export_json cycles
	expect 'a function' has_record '{"id":5,"name":"t","linker_name":"t","address":"0x4010a0","size":32,"static":false,"self":500000000,"samples":50,"error":70710678,"children":0,"inclusive":500000000,"calls":7,"recursive_calls":9,"cycle":2}'
	expect 'an arc' has_record '{"from":3,"to":4,"calls":6,"time":675000000}'
	expect 'recursion' has_record '{"from":5,"to":5,"calls":9,"time":0}'
	expect 'a cycle' has_record '{"cycle":1,"self":600000000,"children":675000000,"calls":2,"internal_calls":12,"members":[1,2,3]}'
	export_json two a.out gmon.out gmon.2
	expect 'the second file' has_record '{"name":"gmon.2","version":1,"histograms":1,"arcs":5,"blocks":0}'
	make_golden demangle
	export_json raw --no-demangle
	expect 'names of the linker' grep -q '"name":"_Z3fooi","linker_name":"_Z3fooi"' said
	make_golden no-rate
	export_json no-rate-2 a.out gmon.2
	expect 'no rate' grep -q '^"unit":{"time":"samples","rate":0,"dimension":"seconds"}' said
	make_saturated
	export_json saturated
	expect 'counts beyond 2^53' has_record '{"from":1,"to":2,"calls":"18446744073709551615","time":0}'
	make_half_cycle
	export_json half
	expect 'a cycle without a member that is not listed' grep -q '^{"cycle":1,.*"members":\[1\]}' said
	make_hostile
	export_json hostile
	expect 'quotes' grep -qF '"name":"a,b \"q\" x"' said
	expect 'lines' grep -qF '"name":"two\u000alines"' said
	expect 'what HTML obeys' grep -qF '"name":"\u003ca\u003e\u0026\\;|$."' said
}

check_program() {
	printf 'static int f(void) { return 0; }\nint main(void) { return f(); }\n' >prog.c
	if ! "$CC" -g -O0 -pg prog.c -o a.out 2>log || ! ./a.out; then
		tap_skip 'files and lines' 'the compiler has no -pg'
		return
	fi
	export_json program
	expect 'file and line' grep -q '"name":"f",.*prog\.c","line":1,"static":true' said
	export_json lines -l
	expect 'functions with -l, too' grep -q '^"by_line":false' said
	expect 'the line of a call' grep -q '^{"arc":0,.*"frames":\[{"function":"main","file":.*prog\.c","line":2}\]}$' said
}

check_jq() {
	if ! jq --version >log 2>&1; then
		tap_skip 'jq' 'no jq (Debian package jq)'
		return
	fi
	for file in all/*.json; do
		jq -r '[.totals.symbols, .totals.arcs, ([.symbols[].self] | add // 0 | tostring)] | join(" ")' "$file" >said 2>err
		expected=$(awk '/^\{"id":/ { symbols++; sub(/.*"self":/, ""); self += $0 + 0 }
			/^\{"from":/ { arcs++ }
			END { printf "%d %d %.0f\n", symbols, arcs, self }' "$file")
		expect "jq reads $file: $expected" [ "$(cat said)" = "$expected" ]
	done
	cp all/hostile.json said
	expect 'jq reads hostile names' [ "$(jq -c '[.symbols[1, 2, 3, 6].name]' said)" = \
		'["a,b \"q\" x","two\nlines","<a>&\\;|$.","{\"%n\":'"'"'}/"]' ]
	expect 'jq finds members of cycles' [ "$(jq -c '[.cycles[].members]' all/cycles.json)" = \
		'[[1,2,3],[4,5],[6,7,8]]' ]
}

# The functions with most time alone: of bounded length, in order, and with what is left out.
check_rows() {
	make_hostile
	run "$GPROF" --top=10 --export=json -o -
	cp out said
	expect '--top=10 --export=json: one JSON, below 4,000 bytes' '[ "$status" = 0 ] && [ "$(wc -c <said)" -lt 4000 ] && [ "$(grep -c "^{\"name\"" said)" = 10 ]'
	mkdir -p tops
	cp said tops/hostile.json
	"$GPROF" --export=json,rows=2 -o tops/two.json 2>err
	"$GPROF" --top=3 --export=json -o tops/three.json >said 2>err
	expect 'beside a file, the first screen is printed' '[ -s said ] && [ "$(grep -c "^{\"name\"" tops/three.json)" = 3 ]'
	if command -v jq >/dev/null; then
		expect 'what is left out is the rest' [ "$(jq -c '[.total * 100, (.functions | length), .others.functions,
			([.functions[].self] | add) * 100 + .others.self * 100] | map(round)' tops/two.json)" = '[55,2,9,55]' ]
	fi
}

# The program of Debian's python3-jsonschema, not another's of that name that may not run.
check_schema() {
	validator=
	for program in jsonschema /usr/bin/jsonschema; do
		"$program" --version >log 2>&1 && validator=$program
	done
	if [ -z "$validator" ]; then
		tap_skip 'schema' 'no jsonschema (Debian package python3-jsonschema)'
		return
	fi
	: >said
	files=$(find all -name '*.json' | sort | sed 's/^/-i /')
	# shellcheck disable=SC2086 # words
	PYTHONWARNINGS=ignore "$validator" $files "$srcdir/doc/export-schema.json" >said 2>err
	expect "$(find all -name '*.json' | wc -l) files are as the schema says" [ "$?$(cat err)" = 0 ]
	PYTHONWARNINGS=ignore "$validator" -i tops/hostile.json -i tops/two.json -i tops/three.json \
		"$srcdir/doc/top-schema.json" >said 2>err
	expect 'so are those of --top' [ "$?$(cat err)" = 0 ]
	for wrong in 's/"self":/"own":/' 's/"0x/"/' 's/"calls":[0-9]*/"calls":-1/' 's/"version":1,"gen/"version":2,"gen/'; do
		sed "$wrong" all/cycles.json >said
		! "$validator" -i said "$srcdir/doc/export-schema.json" >log 2>&1
		tap_check $? "the schema refuses $wrong"
	done
}

make_scratch
cd "$scratch" || exit 99
mkdir all
check_golden
check_records
check_program
check_jq
check_rows
check_schema
tap_done
