#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Code that puts samples off, since it blocks signals or is in a long system call, gets as much time as it uses:
# within five times the error of as many samples as were taken, each of which counts for so many ticks that came late at once.
. "${srcdir:-$(dirname "$0")/../..}/tests/runtime/lib.sh"

seconds=4
[ -z "$SLOW" ] || seconds=12 run_limit=600

# within: whether the share of samples in `closed' is that of its CPU time, by the program's own account. On a busy machine the
# kernel's ticks may hit one kind of section more than its time is: where they are off by more than two sigma, samples that come
# at ticks (`clock' is empty) have their share. Writes all of these.
within() (
	cd "$scratch/sections" && [ "$(cat status)" = 0 ] && "$GPROF" --export=folded -o stacks a.out gmon.out 2>complaints &&
		awk -v late="$(lateness gmon.out)" -v by_ticks="${clock:-yes}" '
			FILENAME == "out" { true[$2] = $3; next }
			{ all += $NF; if (/;closed/) closed += $NF }
			END {
				p = true["closed"] / (true["closed"] + true["open"]); n = all / 4e6
				if (!n) exit 1
				sigma = sqrt(late * p * (1 - p) / n); off = (closed / all - p) / sigma
				ticks_off = (true["ticks"] / 100 - p) / sigma
				printf "# %.1f %% of %d samples, %.1f at once, truth %.1f %%: %+.1f sigma; ticks %.1f %%: %+.1f sigma\n",
					100 * closed / all, n, late, 100 * p, off, true["ticks"], ticks_off
				if (by_ticks == "yes" && (ticks_off > 2 || ticks_off < -2)) off = (off - ticks_off) * 5 / 2
				exit off > 5 || off < -5
			}' out stacks
)

# measure WHAT ARGUMENT...: of the program.
measure() {
	what=$1
	shift
	GMON=stacks,${clock:-rate=250} run_program sections "$@" $seconds
	within >"$scratch/figures"
	tap_check $? "$what"
	cat "$scratch/figures"
}

make_scratch
what=sections
if must_build sections gcc -O1 -pg "$programs/sections.c" "$archive"; then
	measure 'signals blocked for 7 ms, then 7 ms of calculation' signals 7 7
	measure 'system calls of some 10 ms, then 7 ms of calculation' reads 200 7
	clock=rate=1000,clock=task
	measure 'system calls of some 10 ms, then 7 ms of calculation, by the task clock' reads 200 7
	clock=
	measure 'signals blocked for 0.5 ms, then 1 ms of calculation' signals 0.5 1
fi

# Beside a busy process on the same processor.
cd "$scratch" || exit 99
what=busy
if ! command -v taskset >/dev/null; then
	tap_skip '--explain knows that the machine was busy' 'no taskset: install Debian package util-linux'
elif must_build busy "$CC" -O1 -D_GNU_SOURCE -pthread "$programs/cpu.c"; then
	processor=$(taskset -cp $$ | sed 's/.*: //; s/[-,].*//')
	taskset -c "$processor" sh -c 'while :; do :; done' &
	other=$!
	run taskset -c "$processor" "$GPROF" --explain -o report --run=rate=250 "$scratch/busy/a.out" 0.5
	kill $other
	expect '--explain knows that the machine was busy' 'grep -q "^remark loaded: " report'
fi
tap_done
