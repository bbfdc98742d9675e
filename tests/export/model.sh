#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Formats: csv json folded pprof callgrind dot
#
# One answer: the time of a function with all that it calls is the same in every export, in cycles, too. It is what
# adding up call paths gives; pictures have a cycle as one frame, and say that they cannot be trusted if it is large.
# shellcheck disable=SC2317 # functions that expect() calls
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/export/lib.sh"

all_paths=,depth=65535,paths=100000000

# Each leaves lines "NAME NANOSECONDS" of a.out and gmon.out here, sorted, without functions of no time.
sums_of_paths() {
	"$GPROF" --export=folded,mark=no$all_paths -o - 2>>err | awk '{
		time = $NF
		sub(/ [0-9]+$/, "")
		n = split($0, frame, ";")
		split("", seen)
		for (i = 1; i <= n; i++) {
			if (frame[i] in seen)
				print "twice on a path:", frame[i]
			seen[frame[i]]
			sum[frame[i]] += time
		}
	}
	END { for (f in sum) if (sum[f]) printf "%s %.0f\n", f, sum[f] }' | sort
}

sums_of_csv() {
	"$GPROF" --export=csv -o - 2>>err | awk -F , 'NR > 1 && $2 + $3 > 0 {
		gsub(/"/, "", $1)
		printf "%s %.0f\n", $1, ($2 + $3) * 1e9
	}' | sort
}

sums_of_json() {
	"$GPROF" --export=json -o - 2>>err | awk '/^\{"id":/ {
		split($0, part, "\"")
		match($0, /"self":[0-9]+/)
		time = substr($0, RSTART + 7, RLENGTH - 7)
		match($0, /"children":[0-9]+/)
		time += substr($0, RSTART + 11, RLENGTH - 11)
		if (time)
			printf "%s %.0f\n", part[6], time
	}' | sort
}

# Values are samples, calls, time; the innermost function comes first.
sums_of_pprof() {
	"$GPROF" --export=pprof$all_paths 2>>err && zcat gprof.pb.gz | "$TOOLS/pprofdump" | awk '/^sample / && $4 > 0 {
		time = $4
		n = split($0, frame, / \| /)
		for (i = 2; i <= n; i++)
			sum[frame[i]] += time
	}
	END { for (f in sum) printf "%s %.0f\n", f, sum[f] }' | sort
}

# What the calls of a function bring, as callgrind_annotate shows it, or what it has if nobody calls it.
sums_of_callgrind() {
	"$GPROF" --export=callgrind -o callgrind 2>>err
	callgrind_annotate --threshold=100 --auto=no --inclusive=yes callgrind 2>>err |
		sed -n 's/^ *\([0-9,]*\) ([^)]*%) *[^:]*:\([^ ]*\)\( .*\)*$/\2 \1/p' | tr -d , | grep -v ' 0$' | sort
}

# alike A B SLACK: the same functions, and their times but for so many nanoseconds.
alike() {
	join -a 1 -a 2 -e none -o 0,1.2,2.2 "$1" "$2" | awk -v slack="$3" '
		$2 == "none" || $3 == "none" || $2 - $3 > slack || $3 - $2 > slack { print; bad = 1 }
		END { exit bad || !NR }' >said
}

# check_model WHAT: a.out and gmon.out here, whose functions have names of their own, without blanks.
check_model() {
	: >err
	sums_of_paths >paths
	sums_of_csv >csv
	sums_of_json >json
	sums_of_pprof >pprof
	expect "$1: csv has what paths add up to" alike paths csv 1000
	expect "$1: pprof" alike paths pprof 1000
	expect "$1: json, to the nanosecond" cmp -s csv json
	if command -v callgrind_annotate >log; then
		sums_of_callgrind >callgrinds
		expect "$1: callgrind, to the nanosecond" alike csv callgrinds 0
	else
		tap_skip "$1: callgrind" 'no callgrind_annotate (Debian package valgrind)'
	fi
}

# What an arc of csv brings, all arcs of a caller and its own time: what it has.
check_arcs() {
	"$GPROF" --export=csv -o flat.csv --export=csv,table=arcs -o arcs.csv 2>err
	awk -F , 'function ns(x) { return sprintf("%.0f", x * 1e9) + 0 }
		FNR == 1 { file++; next }
		file == 1 { below[$1] = ns($3); next }
		{ sum[$1] += ns($4) }
		END { for (f in below) if (below[f] != sum[f] + 0) print f, below[f], sum[f] + 0 }' \
		flat.csv arcs.csv >said
	expect "$1: arcs add up, to the nanosecond" [ ! -s said ]
}

check_golden() {
	for name in cycles recursion same-caller fractional; do
		make_golden "$name"
		check_model "$name"
		check_arcs "$name"
	done
}

# The shape of lua: a few calls of a rare function enter a cycle in which the time is.
make_entered() {
	make_profile <<-END
		text 0x401000 0x100
		sym main 0x401000
		sym rare 0x401020
		sym run 0x401040
		sym call 0x401060
		sym leaf 0x401080
		profile
		hist 0x401000 0x401100 64 100
		tick main 1
		tick run 60
		tick call 20
		tick leaf 19
		arc main run 1
		arc main rare 1
		arc rare call 1
		arc run call 199
		arc call run 99
		arc run leaf 10
	END
}

check_entered() {
	make_entered
	check_model 'a cycle'
	check_arcs 'a cycle'
	for format in flamegraph webpage; do
		"$GPROF" --export=$format -o said 2>err
		expect "$format: a cycle is one frame" [ "$(grep -c 'cycle 1 of 2 functions\|"frames":\[0,0,[0-9]*,[0-9]*,1,.*-11,' said)" -ge 1 ]
		expect "$format: none of its members" [ "$(grep -c '<title>\(run\|call\)$' said)" = 0 ]
		expect "$format: what it calls is above" grep -q '<title>leaf$\|"frames":' said
	done
}

# make_ring N: main calls a ring of N functions, which has 11 % of the time.
make_ring() {
	awk -v n="$1" 'BEGIN {
		print "text 0x401000 0x400\nsym main 0x401000"
		for (i = 1; i <= n; i++)
			printf "sym f%d 0x%x\n", i, 4198400 + i * 32
		print "profile\nhist 0x401000 0x401400 256 100\ntick main 89\ntick f1 11\narc main f1 1"
		for (i = 1; i <= n; i++)
			printf "arc f%d f%d %d\n", i, i % n + 1, 1 + (i < n)
	}' >profile
	make_profile profile
}

# More than a tenth of the time in a cycle: what to think of it, and what to do.
check_doubt() {
	warned='do not trust'
	for share in 9 11; do
		make_profile <<-END
			text 0x401000 0x80
			sym main 0x401000
			sym ping 0x401020
			sym pong 0x401040
			profile
			hist 0x401000 0x401080 32 100
			tick main $((100 - share))
			tick ping $share
			arc main ping 1
			arc ping pong 5
			arc pong ping 4
		END
		for format in flamegraph webpage dot; do
			"$GPROF" --export=$format -o said 2>err
			sed '/^<noscript>/,/<\/noscript>/d' said >scripted && mv scripted said
			expected=$([ $share = 9 ] && echo 0 || echo 1)
			expect "$format: $share % in a cycle" [ "$(grep -c "has $share\.0 % of the time.*$warned" said)" = "$expected" ]
		done
		"$GPROF" --explain >said 2>err
		expect "--explain: $share % in a cycle" [ "$(grep -c "^remark small-cycle: .*$share\.0 % of the time" said)" = "$expected" ]
	done
	expect '--explain says what to do' grep -q 'Record call stacks' said
	make_ring 6
	"$GPROF" --explain >said 2>err
	expect '--explain: a cycle of many comes first' [ "$(head -n 1 said | grep -c '^one-cycle: .*11\.0 % of the time')" = 1 ]
	expect 'and what to do' grep -q 'record call stacks' said
}

check_programs() {
	for source in recursion sorting; do
		if ! "$CC" -O0 -pg -o a.out "$srcdir/tests/programs/$source.c" 2>log || ! ./a.out >log; then
			tap_skip "$source" "$CC cannot build it"
			continue
		fi
		"$GPROF" -p >log 2>&1 && [ "$("$GPROF" -b -p 2>log | awk '$1 + 0 > 0' | wc -l)" -gt 0 ] && check_model "$source"
	done
}

# Bins of 3.94 bytes, as the C library makes them, and 321 samples in functions: of 10 ms each, whatever the shares.
check_whole_ticks() {
	make_profile <<-END
		text 0x401000 0x100
		sym main 0x401000
		sym f 0x401022
		sym g 0x401051
		sym etext 0x401100 notype
		profile
		hist 0x401000 0x401100 65 100
		bin 3 100
		bin 8 1
		bin 20 200
		bin 40 20
		arc main f 3
		arc f g 7
	END
	"$GPROF" --export=csv -o - 2>err | awk -F , 'NR > 1 { ns += $2 * 1e9; n += $4 } END { printf "%.0f %d\n", ns, n }' >said
	expect 'csv: 321 samples are 3.21 s' said_line '3210000000 321'
	"$GPROF" --export=folded,mark=no -o - 2>err | awk '{ ns += $NF } END { printf "%.0f\n", ns }' >said
	expect 'folded' said_line 3210000000
	"$GPROF" --export=json -o said 2>err
	expect 'json' grep -q '"time":3210000000,"samples":321,' said
	"$GPROF" --export=pprof 2>err && zcat gprof.pb.gz | "$TOOLS/pprofdump" >said
	expect 'pprof' said_line 'total 321 10 3210000000'
	"$GPROF" --export=callgrind -o said 2>err
	expect 'callgrind' said_line 'totals: 3210000000'
}

make_scratch
cd "$scratch" || exit 99
check_whole_ticks
check_golden
check_entered
check_doubt
check_programs
tap_done
