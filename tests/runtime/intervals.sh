#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# How often the interval of 95 % (Wilson's) of a function's share of the samples holds its true share, in RUNS runs of
# TIME seconds: of a program with irregular calls, and of two that do the same again and again, one of them in step with
# the samples. A table; with GMON=jitter=no, beside it, the last is to fail. Takes minutes, and an idle machine: on a busy
# one the kernel passes over ticks, and a sample counts for several. Periods are in no simple ratio to ticks of 1, 4
# or 10 ms: of one that is, the kernel shows but a few phases. make check-sampling.
# shellcheck disable=SC2016,SC2317 # the awk program; what expect calls
. "${srcdir:-$(dirname "$0")/../..}/tests/runtime/lib.sh"

runs=${RUNS:-300}
seconds=${TIME:-2}
parts='30 10 3 1 0.3'

# wilson: of "NAME TICKS TRUE-SHARE" of all runs, how many intervals hold it, for each name.
wilson() {
	awk -v z=1.959964 '
		function root(x) { return x > 0 ? sqrt(x) : 0 }
		$1 == "run" {
			for (name in n) {
				centre = (n[name] + z * z / 2) / (all + z * z)
				half = z / (all + z * z) * root(n[name] * (all - n[name]) / all + z * z / 4)
				held[name] += true[name] >= centre - half && true[name] <= centre + half
				runs[name]++
				sum[name] += n[name]
				total[name] += all
				share[name] += true[name]
			}
			delete n
			all = 0
			next
		}
		{ n[$1] = $2; true[$1] = $3; all += $2 }
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
		"$GPROF" -b -p a.out gmon.out 2>/dev/null >flat
		awk 'FILENAME == "out" { true[$2] = $3; sum += $3 }
			FILENAME == "flat" && /Each sample counts as/ { tick = $5 }
			FILENAME == "flat" && /^ *[0-9.]+ +[0-9.]+ +[0-9.]+ / && $NF in true { n[$NF] = $3 / tick }
			END { for (name in true) printf "%s %.0f %.5f\n", name, n[name], true[name] / sum }' out flat
		echo run
		i=$((i + 1))
	done | wilson | sort >held
	sed "s|^|# $1: |" held
}

# well_held FILE: no function is held by less than 95 %, by more than chance.
well_held() {
	awk -v runs="$runs" '$4 < 95 - 100 * 3.3 * sqrt(0.95 * 0.05 / runs) { bad = 1 } END { exit bad || NR == 0 }' "$1"
}

make_scratch
what=periodic
must_build periodic gcc -O1 -pg "$programs/periodic.c" "$archive" || tap_done
echo "# $runs runs of $seconds s. Function, true share, mean share of samples, percent of intervals that hold the true share"
study irregular 3000000r rate=100
expect "irregular calls" well_held held
study 'every 7.137 ms' 7137123 rate=100
expect "the same every 7.137 ms" well_held held
study 'every 1/97 s' 10309278 rate=97
expect "the same in step with the samples" well_held held
study 'every 1/97 s, jitter=no' 10309278 rate=97,jitter=no
expect "... which is wrong without jitter" fails well_held held
tap_done
