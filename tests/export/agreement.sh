#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Formats: callgrind pprof speedscope webpage
#
# The page, pprof, speedscope, callgrind_annotate and --top agree on the own time of each function, to the tick, and on
# waiting: for a program with threads and templates, make -j2, waiting, many functions. SLOW=1 (make check-real): also for
# lua, the C++ compiler, make -j2 with it, redis with clients, and 100,000 functions. A single one: its name as argument.
# shellcheck disable=SC2016,SC2034,SC2086,SC2317 # conditions for expect; words
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/export/lib.sh"

# Keys for the exports that draw paths, so that none is left out.
paths=

# agree WHAT LEAST DATA...: those of a profile, with at least so many functions.
agree() {
	what=$1
	least=$2
	shift 2
	"$GPROF" --export=webpage,source=no -o page.html --export=pprof$paths -o all.pb.gz --export=speedscope$paths \
		-o all.json --export=callgrind -o callgrind.out "$@" 2>err &&
		"$GPROF" --export=webpage,source=no,inlined=no -o plain.html "$@" 2>>err &&
		"$GPROF" --top=1000000 "$@" >top 2>>err && zcat all.pb.gz | "$TOOLS/pprofdump" >dump
	annotated=
	if command -v callgrind_annotate >/dev/null; then
		annotated=annotated
		callgrind_annotate --threshold=100 --auto=no callgrind.out >annotated 2>>err
	fi
	python3 "$srcdir/tests/export/agreement.py" page.html plain.html dump all.json "$annotated" top >said 2>&1
	read -r word functions ticks <<-END
		$(tail -n 1 said)
	END
	evidence='said err'
	expect "$what: $functions functions, $ticks ticks" \
		'[ "$word" = agree ] && [ "$(wc -l <said)" = 1 ] && [ "$functions" -ge $least ] && [ "$ticks" -gt 0 ]'
}

# missing PROGRAM WHAT: true, and WHAT skipped, if there is no such program.
missing() {
	if command -v "$1" >/dev/null; then return 1; fi
	tap_skip "$2" "no $1"
}

# may_record: whether gprof --run is for this machine.
may_record() {
	[ -f "$builddir/libgmon.so" ] && return
	tap_skip "$1" 'libgmon is not for this machine'
	false
}

test_templates() {
	may_record 'threads and templates' || return
	if ! "${CXX:-c++}" -std=c++17 -O1 -g -pthread -o jobs "$srcdir/tests/export/jobs.cc" 2>err; then
		tap_skip 'threads and templates' "${CXX:-c++} cannot build it"
		return
	fi
	"$GPROF" --run=keep=kept.gmon ./jobs >out 2>&1
	agree 'threads and templates' 5 ./jobs kept.gmon
}

# write_make COMPILER SOURCE
write_make() {
	for i in 1 2 3 4; do cp "$2" "source$i.${2##*.}"; done
	printf 'all: source1.o source2.o source3.o source4.o\n%%.o: %%.%s\n\t%s -O2 -c $< -o $@\n' "${2##*.}" "$1" >Makefile
}

test_make() {
	may_record 'make -j2' || return
	missing make 'make -j2' && return
	missing gcc 'make -j2' && return
	write_make gcc "$srcdir/tests/programs/sorting.c"
	"$GPROF" --run=children,keep=made.gmon make -j2 >out 2>&1
	agree 'make -j2' 5 "$(gcc -print-prog-name=cc1)" made.gmon
}

test_waiting() {
	make_golden waiting
	agree 'waiting' 3
	make_golden blame
	agree 'locks' 1
}

# many SHAPE NUMBER
many() {
	"$TOOLS/mkscale" "$1" "$2" . || exit 99
	agree "$2 functions, $1" 5
}

test_many() {
	paths=,paths=1000000
	for shape in star fanin stacks; do
		many $shape 10000
	done
	paths=
}

real_many() {
	paths=,paths=1000000
	for shape in star fanin stacks; do
		many $shape 100000
	done
	paths=
}

real_lua() {
	missing lua5.4 lua && return
	echo 'local function fib(n) if n < 2 then return n end return fib(n - 1) + fib(n - 2) end
		local t = {}
		for i = 1, 400000 do t[i % 1000 + 1] = string.format("%d:%s", i, tostring(i * 1.5)) end
		table.sort(t) print(fib(29))' >work.lua
	"$GPROF" --run=keep=lua.gmon lua5.4 work.lua >out 2>&1
	agree lua 20 "$(readlink -f "$(command -v lua5.4)")" lua.gmon
}

real_cc1plus() {
	"$GPROF" --run=children,keep=compiler.gmon "${CXX:-c++}" -std=c++17 -O2 -c "$srcdir/tests/export/jobs.cc" -o jobs.o >out 2>&1
	agree cc1plus 300 "$("${CXX:-c++}" -print-prog-name=cc1plus)" compiler.gmon
}

real_make() {
	write_make "${CXX:-c++} -std=c++17" "$srcdir/tests/export/jobs.cc"
	"$GPROF" --run=children,keep=made.gmon make -j2 >out 2>&1
	agree 'make -j2 of C++' 300 "$("${CXX:-c++}" -print-prog-name=cc1plus)" made.gmon
}

real_redis() {
	missing redis-server 'redis with clients' && return
	"$GPROF" --run=keep=server.gmon,clock=wall redis-server --port 0 --unixsocket "$scratch/socket" --save '' >out 2>&1 &
	until [ -S socket ]; do sleep 0.1; done
	redis-benchmark -s socket -n 30000 -q -t set,get,lpush >/dev/null 2>&1
	redis-cli -s socket shutdown nosave
	wait
	agree 'redis with clients' 10 "$(readlink -f "$(command -v redis-server)")" server.gmon
}

make_scratch
cd "$scratch" || exit 99
command -v python3 >/dev/null || tap_skip_all 'no python3 (Debian package python3)'
for name in templates make waiting many; do
	if chosen $name "$@"; then test_$name; fi
done
for name in many lua cc1plus make redis; do
	if [ -n "${SLOW-}" ]; then real_$name; fi
done
tap_done
