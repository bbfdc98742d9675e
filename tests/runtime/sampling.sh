#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The samples add up to the CPU time: of all threads, and of each, also beside three busy processes. With SLOW
# set (make check-slow) for longer and within 2 and 5 percent.
. "${srcdir:-$(dirname "$0")/../..}/tests/runtime/lib.sh"

# The kernel looks at threads at its ticks only, and on a busy machine another thread may be on the CPU at each of
# them: so many seconds of a thread were seen to end unseen. libgmon says of how much time that is in all.
unseen_at_load=0.1

# within PERCENT-OF-ALL PERCENT-OF-EACH UNSEEN: so far are the samples of the last run, with those that libgmon
# says belong to no function, from what it used, the one that may be missing from each thread's end aside; each
# thread may lack UNSEEN seconds more. Writes the figures.
within() {
	all=$1
	each=$2
	unseen=$3
	(
		cd "$scratch/cpu" && [ "$(cat status)" = 0 ] && "$GPROF" -b -p a.out gmon.out >flat &&
			awk -v all="$all" -v each="$each" -v unseen="$unseen" '
				function percent(found, true) { return 100 * (found - true) / true }
				function bad(p, most, slack, less) { return p > most + slack || -p > most + slack + less }
				FILENAME == "out" { true[$2] = $3; sum += $3; n++ }
				FILENAME == "err" && / ticks more belong to no function/ { total += $2 / 100; nobody = $2 / 100 }
				FILENAME == "flat" && /^ *[0-9.]+ +[0-9.]+ +[0-9.]+ / { found[$NF] += $3; total += $3 }
				END {
					printf "# all: %.2f s of %.2f s, %+.1f %%; %.2f s are of no function\n", total, sum,
						percent(total, sum), nobody
					# What libgmon says nothing of is within chance: three times the root of a tick a thread.
					wrong = bad(percent(total, sum), all, n / sum, unseen ? 3 * sqrt(n) / sum : 0)
					for (name in true) {
						p = percent(found[name], true[name])
						printf "# %s: %.2f s of %.2f s, %+.1f %%\n", name, found[name], true[name], p
						wrong += bad(p, each, 1 / true[name], 100 * unseen / true[name])
					}
					exit wrong > 0
				}' out err flat
	) >"$scratch/figures"
}

# measure WHAT PERCENT-OF-ALL PERCENT-OF-EACH UNSEEN SECONDS...: one run of five must do. Wrong counting would show
# each time.
measure() {
	what=$1
	of=$2
	them=$3
	late=$4
	shift 4
	for try in 1 2 3 4 5; do
		run_program cpu "$@"
		within "$of" "$them" "$late" && break
	done
	within "$of" "$them" "$late"
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
	measure "one thread$1" $of_all $of_each $2 $one
	measure "four threads of unequal loads$1" $of_all $of_each $2 $four
}

measure_both '' 0
busy=
for _ in 1 2 3; do
	(
		trap - EXIT
		while kill -0 $$ 2>/dev/null; do :; done
	) &
	busy="$busy $!"
done
measure_both ' beside three busy processes' $unseen_at_load
# shellcheck disable=SC2086 # a list
kill $busy
tap_done
