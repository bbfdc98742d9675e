#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# How often the interval that --confidence has for a function's time, of 95 %, holds its true time, in RUNS runs of TIME
# seconds: of a program with irregular calls, and of two that do the same again and again, one of them in step with
# the samples. A table; with GMON=jitter=no, beside it, the last is to fail. Takes minutes, and an idle machine: on a busy
# one the kernel passes over ticks, and a sample counts for several. Periods are in no simple ratio to ticks of 1, 4
# or 10 ms: of one that is, the kernel shows but a few phases. Arguments name some: counts, stacks, periodic, step. make
# check-sampling.
# shellcheck disable=SC2016,SC2317 # the awk program; what expect calls
. "${srcdir:-$(dirname "$0")/../..}/tests/runtime/lib.sh"

runs=${RUNS:-300}
seconds=${TIME:-2}
parts='30 10 3 1 0.3'

# tally: of "NAME TIME LOW HIGH TRUE-SHARE" of all runs, how many intervals hold the true share, for each name.
tally() {
	awk '
		$1 == "run" {
			for (name in self) {
				held[name] += low[name] <= true[name] * all && true[name] * all <= high[name]
				runs[name]++
				sum[name] += self[name]
				total[name] += all
				share[name] += true[name]
			}
			delete self
			all = 0
			next
		}
		{ self[$1] = $2; low[$1] = $3; high[$1] = $4; true[$1] = $5; all += $2 }
		END {
			for (name in held)
				printf "%s %.2f %.2f %.1f\n", name, 100 * share[name] / runs[name],
					100 * sum[name] / total[name], 100 * held[name] / runs[name]
		}'
}

# study WHAT NS GMON: runs the program; leaves what holds in the file `held`.
study() {
	cd "$scratch/periodic" || exit 99
	i=0
	while [ $i -lt "$runs" ]; do
		# shellcheck disable=SC2086 # words
		GMON=$3 ./a.out "$2" "$seconds" $parts >out || exit 99
		"$GPROF" --export=csv -o - --confidence a.out gmon.out 2>/dev/null >csv
		awk -F '[ ,"]+' 'FILENAME == "out" { true[$2] = $3; sum += $3 }
			FILENAME == "csv" && $2 in true { line[$2] = $3 " " $(NF - 1) " " $NF }
			END { for (name in true) print name, name in line ? line[name] : "0 0 0", true[name] / sum }' out csv
		echo run
		i=$((i + 1))
	done | tally | sort >held
	sed "s|^|# $1: |" held
}

# well_held FILE: no function is held by less than 95 %, by more than chance.
well_held() {
	awk -v runs="$runs" '$4 < 95 - 100 * 3.3 * sqrt(0.95 * 0.05 / runs) { bad = 1 } END { exit bad || NR == 0 }' "$1"
}

# checked NAME: whether it is wanted.
checked() {
	case " $wanted " in *" $1 "* | '  ') return 0 ;; esac
	return 1
}

wanted=$*
make_scratch
what=periodic
must_build periodic gcc -O1 -pg "$programs/periodic.c" "$archive" || tap_done
echo "# $runs runs of $seconds s. Function, true share, mean share of samples, percent of intervals that hold the true share"
if checked counts; then
	study 'irregular' 3000000r rate=250
	expect "irregular calls" well_held held
fi
if checked stacks; then
	study 'irregular, with stacks' 3000000r rate=250,stacks
	expect "irregular calls, with the numbers of signals" well_held held
fi
if checked periodic; then
	study 'every 7.137 ms' 7137123 rate=100
	expect "the same every 7.137 ms" well_held held
fi
if checked step; then
	study 'every 1/97 s' 10309278 rate=97
	expect "the same in step with the samples" well_held held
	study 'every 1/97 s, jitter=no' 10309278 rate=97,jitter=no
	expect "... which is wrong without jitter" fails well_held held
fi
tap_done
