#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The samples add up to the CPU time: of all threads, and of each, also beside three busy processes. With SLOW
# set (make check-slow) for longer and within 2 and 5 percent.
. "${srcdir:-$(dirname "$0")/../..}/tests/runtime/lib.sh"

# within PERCENT-OF-ALL PERCENT-OF-EACH: so far are the samples of the last run from what it used, the one
# that may be missing from each thread's end aside; writes the figures.
within() {
	all=$1
	each=$2
	(
		cd "$scratch/cpu" && [ "$(cat status)" = 0 ] && "$GPROF" -b -p a.out gmon.out >flat &&
			awk -v all="$all" -v each="$each" '
				function percent(found, true) { return 100 * (found - true) / true }
				function bad(p, most, slack) { return p > most + slack || -p > most + slack }
				FILENAME == "out" { true[$2] = $3; sum += $3; n++ }
				FILENAME == "flat" && /^ *[0-9.]+ +[0-9.]+ +[0-9.]+ / { found[$NF] += $3; total += $3 }
				END {
					printf "# all: %.2f s of %.2f s, %+.1f %%\n", total, sum, percent(total, sum)
					wrong = bad(percent(total, sum), all, n / sum)
					for (name in true) {
						p = percent(found[name], true[name])
						printf "# %s: %.2f s of %.2f s, %+.1f %%\n", name, found[name], true[name], p
						wrong += bad(p, each, 1 / true[name])
					}
					exit wrong > 0
				}' out flat
	) >"$scratch/figures"
}

# measure WHAT PERCENT-OF-ALL PERCENT-OF-EACH SECONDS...: one run of five must do. A thread that has ended takes
# with it what it used since the kernel looked last, which on a very busy machine is long ago at times. Wrong
# counting would show each time.
measure() {
	what=$1
	of=$2
	them=$3
	shift 3
	for try in 1 2 3 4 5; do
		run_program cpu "$@"
		within "$of" "$them" && break
	done
	within "$of" "$them"
	tap_check $? "$what: run $try"
	cat "$scratch/figures"
}

make_scratch
what=cpu
must_build cpu gcc -O1 -pg -pthread "$programs/cpu.c" "$archive" || tap_done
if [ -n "$SLOW" ]; then
	one=8 four='1 2 3 4' of_all=2 of_each=5
else
	one=1 four='0.2 0.4 0.6 0.8' of_all=5 of_each=8
fi

# shellcheck disable=SC2086 # a list
measure_both() {
	measure "one thread$1" $of_all $of_each $one
	measure "four threads of unequal loads$1" $of_all $of_each $four
}

measure_both ''
busy=
for _ in 1 2 3; do
	(
		trap - EXIT
		while :; do :; done
	) &
	busy="$busy $!"
done
measure_both ' beside three busy processes'
# shellcheck disable=SC2086 # a list
kill $busy
tap_done
