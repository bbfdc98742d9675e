#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The samples add up to the CPU time: of all threads, and of each, also beside three busy processes. With SLOW
# set (make check-slow) for longer. No bound depends on chance or on the machine: see within.
. "${srcdir:-$(dirname "$0")/../..}/tests/runtime/lib.sh"

# within: samples of the last run against what it used, in seconds. Writes the figures.
#
# All samples and the time that libgmon says nobody saw are the CPU time, but for what it does not tell of: less than a
# fiftieth or two ticks (sample_unseen()). A thread's samples are what it had used at its last one, by the kernel, give or
# take what a look may count ahead or behind: four of the kernel's ticks and a period, and a tick before the first look
# (clock_end_by_ticks(), clock_begin()). What it used after that is in the first sum. Each function is of one thread; as their
# order is that of the threads, by time, neither is asked for its name.
within() (
	cd "$scratch/cpu" && [ "$(cat status)" = 0 ] && "$GPROF" -b -p --estimated a.out gmon.out >flat &&
		"$TOOLS/extdump" gmon.out.ext | awk '$1 == "thread" && $4 > 0 { print $4 / 1e9 }' | sort -n >known &&
		awk '
			FILENAME == "out" { used[$2] = $3; next }
			FILENAME == "flat" && /^ *[0-9.]+ +[0-9.]+ +[0-9.]+ / { seen[$NF] = $3; all += $3 }
			END { for (name in used) print seen[name] + 0, used[name], name; print all + 0, "all" }' out flat | sort -n >seen &&
		awk -v tick="$(kernel_tick)" '
			FILENAME == "known" { known[++n] = $1; next }
			FILENAME == "err" && / ticks in the program and / { outside = $10 / $13; rate = $13; next }
			FILENAME == "err" && / ticks more belong to no function/ { nobody = $2 / rate; next }
			FILENAME == "err" { next }
			$2 == "all" { all = $1; next }
			{
				late = 5 * tick + 1 / rate; sum += $2; k++
				printf "# %s: %.2f s of %.2f s, %.2f s at its last sample\n", $3, $1, $2, known[k + n - threads]
				bad += $1 > $2 + late || $1 < known[k + n - threads] - late - outside
			}
			END {
				printf "# all: %.2f s, %.2f s outside, of %.2f s; %.2f s are of no function\n", all, outside, sum, nobody
				all += outside
				exit !(rate && !bad && all >= sum / 2 && all <= sum + (threads + 1) * late && all + nobody >= 0.98 * sum - 2 / rate)
			}' threads="$(wc -l <out)" known err seen
) >"$scratch/figures"

# measure WHAT SECONDS...
measure() {
	what=$1
	shift
	run_program cpu "$@"
	within
	tap_check $? "$what"
	cat "$scratch/figures"
}

make_scratch
what=cpu
must_build cpu gcc -O1 -pg -pthread "$programs/cpu.c" "$archive" || tap_done
export GMON=stacks,verbose
one=1 four='0.2 0.4 0.6 0.8'
[ -z "$SLOW" ] || one=8 four='1 2 3 4'

# shellcheck disable=SC2086 # a list
measure_both() {
	measure "one thread$1" $one
	measure "four threads of unequal loads$1" $four
}

measure_both ''
busy=
for _ in 1 2 3; do
	(
		trap - EXIT
		while kill -0 $$ 2>/dev/null; do :; done
	) &
	busy="$busy $!"
done
measure_both ' beside three busy processes'
# shellcheck disable=SC2086 # a list
kill $busy
tap_done
