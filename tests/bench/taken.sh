#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# What gprof --run takes from a program of MS (500) milliseconds at its default rate: its start, its ticks, its end, by
# the program's own clock (taken.c), in PAIRS (60) pairs of alternating order. A ratio of two run times does not tell half
# a percent on a machine whose speed drifts by five; what is taken away is measured by itself, and is a share of MS.
# Medians of microseconds; what a tick takes more is the median of the pairs' differences with its interval of 95 % by
# the sign test, since a machine's other interruptions have a long tail.
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"

MS=${MS:-500}
PAIRS=${PAIRS:-60}
source=$(cd "$(dirname "$0")" && pwd)/taken.c
make_scratch
cd "$scratch" || exit 99
"${CC:-cc}" -O1 -fno-optimize-sibling-calls -o taken "$source" || exit 1

run_alone() {
	"$scratch/taken" "$MS" >>alone.txt
}

run_recorded() {
	"$GPROF" --no-pager -o screen --run "$scratch/taken" "$MS" >>run.txt 2>errors || cat errors
	sed -n 's/.*[ ,]\([0-9][0-9]*\) samples (.*/\1/p' screen | head -n 1 >>samples.txt
}

pair=0
while [ $pair -lt "$PAIRS" ]; do
	if [ $((pair % 2)) -eq 0 ]; then run_alone && run_recorded; else run_recorded && run_alone; fi
	pair=$((pair + 1))
done

samples=$(sort -n samples.txt | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }')
paste alone.txt run.txt | awk -v ms="$MS" -v samples="$samples" '
	function sorted(column, v,  i, j, t) {
		for (i = 1; i <= NR; i++) {
			t = all[i, column]
			for (j = i; j > 1 && v[j - 1] > t; j--)
				v[j] = v[j - 1]
			v[j] = t
		}
	}
	function median(column,  v) {
		sorted(column, v)
		return (v[int((NR + 1) / 2)] + v[int(NR / 2) + 1]) / 2
	}
	# The rank below which 2.5 % of the binomial distribution of NR and a half lie.
	function rank(  k, share, sum) {
		share = exp(NR * log(0.5))
		for (k = 0; (sum += share) <= 0.025; k++)
			share *= (NR - k) / (k + 1)
		return k > 0 ? k : 1
	}
	# Percent of MS, if each sample takes as many microseconds; there are as many samples as ticks.
	function share(sample) {
		return (median(8) + sample * samples) / ms / 10
	}
	function line(name, alone, run) {
		printf "%-6s %12.1f %12.1f\n", name, median(alone), median(run)
	}
	{
		for (i = 1; i <= 6; i++)
			all[NR, i] = $i
		all[NR, 7] = $5 - $2
		all[NR, 8] = $4 - $1 + $6 - $3
	}
	END {
		print "us            alone  gprof --run"
		line("start", 1, 4)
		line("a tick", 2, 5)
		line("end", 3, 6)
		sorted(7, tick)
		printf "a tick takes %.1f us [%.1f, %.1f], start and end %.0f: %.2f %% [%.2f, %.2f] of %d ms\n", median(7), tick[rank()],
			tick[NR + 1 - rank()], median(8), share(median(7)), share(tick[rank()]), share(tick[NR + 1 - rank()]), ms
	}'
sort -n samples.txt | awk -v median="$samples" '{ v[NR] = $1 } END { printf "%d to %d samples, %d in the median\n", v[1], v[NR], median }'
