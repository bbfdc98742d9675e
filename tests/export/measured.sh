#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Formats: callgrind csv flamegraph folded json pprof speedscope
#
# Exports of recorded call stacks: inclusive times are those of --inclusive, to the tick, in each format, as its reader
# adds them up, `go tool pprof -top -cum' among them; nothing is estimated; threads and objects are told apart; with
# --estimated, an export is that of the same data without stacks.
# shellcheck disable=SC2016,SC2317 # conditions are evaluated later; functions that expect() calls
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/export/lib.sh"

# Each leaves lines "TICKS SELF NAME" of functions with inclusive time, sorted; a tick is 10 ms.
sums_of_report() {
	"$GPROF" -b --inclusive ${thread:+--thread-view="$thread"} 2>>err | awk '
		/^ time / { begun = 1; at = index($0, "  name") + 2; next }
		begun && $2 > 0 { printf "%.0f %.0f %s\n", $2 * 100, $3 * 100, substr($0, at) }' | sort
}

# Lines "SELF FRAME;FRAME...", in ticks.
sums_of_paths() {
	awk '{
		self = $1
		sub(/^[0-9.]+ /, "")
		n = split($0, frame, ";")
		split("", seen)
		for (i = 1; i <= n; i++)
			if (!(frame[i] in seen)) {
				seen[frame[i]]
				all[frame[i]] += self
			}
		own[frame[n]] += self
	}
	END { for (f in all) if (all[f]) printf "%.0f %.0f %s\n", all[f], own[f], f }' | sort
}

sums_of_folded() {
	"$GPROF" --export=folded"$1" -o - 2>>err | awk '{ time = $NF; sub(/ [0-9]+$/, ""); print time / 1e7, $0 }' |
		sed "$2" | sums_of_paths
}

# The profile of a number; the first is of all threads.
sums_of_speedscope() {
	"$GPROF" --export=speedscope -o - 2>>err | awk -v only="$1" '
		/^\{"name":/ { sub(/^\{"name":"/, ""); sub(/".*/, ""); name[n++] = $0 }
		/"type":"evented"/ { profile++; depth = 0 }
		/^\{"type":"[OC]"/ && profile == only {
			match($0, /"frame":[0-9]+/); f = substr($0, RSTART + 8, RLENGTH - 8)
			match($0, /"at":[0-9]+/); at = substr($0, RSTART + 5, RLENGTH - 5)
			if (depth)
				own[open[depth]] += at - last
			last = at
			if (/"type":"O"/) {
				if (!on[f]++)
					begun[f] = at
				open[++depth] = f
			} else {
				if (!--on[f])
					all[f] += at - begun[f]
				depth--
			}
		}
		END { for (f in all) if (all[f]) printf "%.0f %.0f %s\n", all[f] / 1e7, own[f] / 1e7, name[f] }' | sort
}

sums_of_pprof() {
	"$GPROF" --export=pprof -o gprof.pb.gz 2>>err && zcat gprof.pb.gz | "$TOOLS/pprofdump" |
		awk '/^sample / && $4 > 0 {
			n = split($0, frame, / \| /)
			path = frame[n]
			for (i = n - 1; i > 1; i--)
				path = path ";" frame[i]
			print $4 / 1e7, path
		}' | sums_of_paths
}

sums_of_go() {
	"$go" tool pprof -top -cum -unit=ms -nodecount=100000 -nodefraction=0 -edgefraction=0 gprof.pb.gz 2>>err | awk '
		/flat%/ { begun = 1; next }
		begun && $4 != "0" { self = $1 + 0; all = $4 + 0; for (i = 0; i < 5; i++) sub(/^ *[^ ]+ +/, ""); printf "%.0f %.0f %s\n", all / 10, self / 10, $0 }' |
		sort
}

sums_of_json() {
	"$GPROF" --export=json -o - 2>>err | awk '
		function value(key) {
			return match($0, "\"" key "\":[0-9]+") ? substr($0, RSTART + length(key) + 3, RLENGTH - length(key) - 3) : 0 }
		/^\{"id":/ && value("inclusive") { split($0, part, "\""); printf "%.0f %.0f %s\n", value("inclusive") / 1e7, value("self") / 1e7, part[6] }' | sort
}

# What calls of a function bring, or if nobody calls it, what it has.
sums_of_callgrind() {
	"$GPROF" --export=callgrind -o callgrind 2>>err
	# Elsewhere, since it shortens some names of files in the current directory, and not others.
	(cd / && callgrind_annotate --threshold=100 --auto=no --inclusive=yes "$scratch/callgrind") 2>>err |
		sed -n 's/^ *\([0-9,]*\) ([^)]*%) *[^:]*:\(.*[^ ]\) *$/\1 \2/p' | tr -d , |
		awk '{
			time = $1
			sub(/^[0-9]+ /, "")
			sub(/ \[a\.out\]$/, "")
			if (time > 0 && $0 != "[root]")
				printf "%.0f %s\n", time / 1e7, $0
		}' | sort
}

# check_measured WHAT: a.out, gmon.out and gmon.out.ext here.
check_measured() {
	: >err
	thread=
	sums_of_report >expected
	expect "$1: there are some" [ "$(wc -l <expected)" -gt 3 ]
	sums_of_folded '' '' >said
	expect "$1: folded" cmp -s said expected
	sums_of_folded ,thread=yes 's/ [^;]*;/ /' >said
	expect "$1: folded, thread=yes" cmp -s said expected
	sums_of_speedscope 1 >said
	expect "$1: speedscope" cmp -s said expected
	sums_of_pprof >said
	expect "$1: pprof" cmp -s said expected
	if [ -n "$go" ]; then
		sums_of_go >said
		expect "$1: go tool pprof -top -cum" cmp -s said expected
	else
		tap_skip "$1: go tool pprof" 'no go (Debian package golang-go)'
	fi
	sums_of_json >said
	expect "$1: json" cmp -s said expected
	if command -v callgrind_annotate >log; then
		cut -d ' ' -f 1,3- expected | sort >wanted
		sums_of_callgrind >said
		expect "$1: callgrind_annotate" cmp -s said wanted
	else
		tap_skip "$1: callgrind" 'no callgrind_annotate (Debian package valgrind)'
	fi
	expect "$1: and nothing was complained of" [ ! -s err ]
}

# Lines, spots and calls add up, and --estimated is as if there were no stacks.
check_whole() {
	"$GPROF" --export=json -o all.json 2>err
	awk 'function value(key) {
			return match($0, "\"" key "\":[0-9]+") ? substr($0, RSTART + length(key) + 3, RLENGTH - length(key) - 3) : 0 }
		/^\{"id":/ { self[value("id")] = value("self") + 0; below[value("id")] = value("children") + 0 }
		/^\{"from":/ { below[value("from")] -= value("time"); time[n++] = value("time") + 0 }
		/^\{"symbol":/ { self[value("symbol")] -= value("self") }
		/^\{"arc":/ { time[value("arc")] -= value("time") }
		END {
			for (i in self) if (self[i]) print "lines of", i, "miss", self[i]
			for (i in below) if (below[i]) print "arcs of", i, "miss", below[i]
			for (i in time) if (time[i]) print "call sites of", i, "miss", time[i]
		}' all.json >said
	expect "$1: lines, arcs and call sites add up" [ ! -s said ]
	for format in callgrind csv dot flamegraph folded json pprof speedscope; do
		"$GPROF" --export=$format -o measured 2>err
		"$GPROF" --estimated --export=$format -o with 2>err
		mv gmon.out.ext aside
		"$GPROF" --export=$format -o without 2>err
		mv aside gmon.out.ext
		expect "$1, $format: --estimated is as without stacks" cmp -s with without
		if [ $format = pprof ]; then zcat measured >text; else cp measured text; fi
		expect "$1, $format: stacks are not estimated" '! grep -q "estimated\|do not trust" text'
	done
}

# Calls to and fro, threads of one name, a library, a broken stack, a function at both ends of a stack.
make_recursive() {
	make_profile <<-END
		text 0x401000 0x200
		sym main 0x401000
		sym even 0x401020
		sym odd 0x401040
		sym leaf 0x401060
		sym spawn 0x401080
		profile
		hist 0x401000 0x401200 128 100
		tick leaf 40
		arc main+4 even 7
		arc even+4 odd 30
		arc odd+4 even 20
		arc even+8 leaf 9
		module a.out 0x401000 0x401200 0 00112233445566778899aabbccddeeff00112233 program
		module /lib/libm.so.6 0x70001000 0x70002000 0x70000000 abcdef01
		module /lib/libc.so.6 0x71001000 0x71002000 0x71000000 fedcba
		thread 100 demo 1000000000
		stack 7 main+4 even+4 odd+4 even+8 leaf+4
		stack 5 main+4 even+8 leaf+6
		stack 3 main+4 even+4 odd+4 even+4 odd+6
		stack 2 main+6 odd+4 even+4 odd+4 even+6
		stack 11 main+4 even+4 libm.so.6:0x1020 libm.so.6:0x1030
		thread 101 worker 500000000
		stack 13 libc.so.6:0x1100 spawn+4 even+4 odd+8
		stack 1 spawn+4 spawn+4 main+4
		thread 102 worker 500000000
		stack 17 libc.so.6:0x1100 spawn+4 leaf+8
		stack 4 guessed even+4 odd+8
		stack 6 broken odd+4 even+8 leaf+4
		stack 1 broken -:0x12345
	END
}

check_threads() {
	"$GPROF" --export=folded,thread=yes -o - 2>err | awk '{ name = $0; sub(/;.*/, "", name); sum[name] += $NF / 1e7 }
		END { for (name in sum) print name, sum[name] }' | sort >said
	printf 'demo 28\nworker (101) 14\nworker (102) 28\n' >expected
	expect 'folded: threads, with numbers where names are alike' cmp -s said expected
	profile=2
	for thread in 100 102 101; do
		sums_of_report >expected
		sums_of_speedscope "$profile" >said
		expect "speedscope: a profile for thread $thread, the busiest first after all" cmp -s said expected
		profile=$((profile + 1))
	done
	"$GPROF" --thread-view=worker --export=folded -o - 2>err | awk '{ n += $NF / 1e7 } END { print n }' >said
	expect '--thread-view' said_line 42
	zcat gprof.pb.gz | "$TOOLS/pprofdump" >said
	expect 'pprof: labels' grep -q '^sample 13 0 130000000 thread=worker tid=101 | odd | even | spawn$' said
	expect 'pprof: an object' said_line 'mapping 70001000 70002000 1000 /lib/libm.so.6 abcdef01'
	expect 'pprof: the address in it, at run time' grep -q '^location 70001... 0 | \[libm.so.6\]$' said
	expect 'pprof: addresses on stacks' grep -q '^location 401066 0 | leaf$' said
	if [ -n "$go" ]; then
		"$go" tool pprof -tags gprof.pb.gz >said 2>err
		expect 'go tool pprof -tags' '[ "$(grep -c "worker\|demo\|: 10[012]" said)" = 5 ]'
		"$go" tool pprof -unit=ms -tagfocus=tid=102: -top gprof.pb.gz >said 2>err
		expect 'go tool pprof: one thread' grep -q 'for 280ms' said
	fi
	"$GPROF" --export=json -o said 2>err
	expect 'json: threads' grep -q '^{"name":"worker","tid":101,"cpu_ns":500000000,"samples":14,"time":140000000},$' said
	expect 'json: objects' grep -q '^{"path":"/lib/libm.so.6","low":"0x70001000",.*"build_id":"abcdef01"},$' said
	"$GPROF" --libraries=hide --export=folded -o - 2>err >said
	expect '--libraries=hide' '! grep -q "lib" said && grep -q "^main;even 110000000$" said'
	"$GPROF" --export=flamegraph -o said 2>err
	expect 'flamegraph: no cycle as one' '! grep -q "cycle 1" said && grep -q "<title>odd$" said'
}

# Ten cheap and ten costly calls of one function.
check_program() {
	cat >calls.c <<-END
		__attribute__((noinline)) double leaf(int n)
		{
			volatile double x = 0;
			for (int i = 0; i < n; i++)
				x += i * 0.5;
			return x;
		}
		__attribute__((noinline)) double both(int n)
		{
			double x = leaf(n);
			x += leaf(200 * n);
			return x;
		}
		int main(void)
		{
			double x = 0;
			for (int i = 0; i < 10; i++)
				x += both(100000);
			return x == 1;
		}
	END
	if ! "$CC" -g -O1 -pg calls.c -o a.out "$builddir/libgmon.a" 2>log || ! GMON=stacks ./a.out 2>>log || [ ! -s gmon.out.ext ]; then
		tap_skip 'a program' 'no call stacks here'
		return
	fi
	check_measured 'a program'
	"$GPROF" --export=json 2>err
	sed -n 's/.*"time":\([0-9]*\),"frames":\[{"function":"both".*"line":1[01]}.*/\1/p' gprof.json | sort -n >costs
	awk '{ time[NR] = $1 } END { exit NR != 2 || time[1] * 20 > time[2] }' costs
	tap_check $? 'the lines of a cheap and a costly call'
	[ -n "$go" ] || return
	HOME=$scratch "$go" tool pprof -list '^both$' a.out gprof.pb.gz >shown 2>err
	grep 'leaf(200' shown | awk '{ sub(/ms$/, "", $2) } $1 != "." || $2 == "." { exit 1 }'
	tap_check $? 'pprof -list has the costly line'
}

go=$(command -v go || find /usr/lib/go-*/bin/go 2>/dev/null | tail -n 1)
make_scratch
cd "$scratch" || exit 99
HOME=$scratch PPROF_TMPDIR=$scratch
export HOME PPROF_TMPDIR
make_golden stacks
check_measured stacks
check_whole stacks
make_golden stacks-files
"$GPROF" -p --export=csv -o said a.out gmon.out gmon.3 2>err >log
expect 'a data file without stacks: said once' [ "$(grep -c 'are estimated: no call stacks' err)" = 1 ]
make_recursive
check_measured recursion
check_whole recursion
check_threads
check_program
tap_done
