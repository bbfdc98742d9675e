#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# GMON=event and GMON=clock=task: counters of the kernel. Page faults are exact; CPU time adds up at rates above the
# kernel's tick; no descriptor stays, hardly a wait ends early, and where the kernel refuses, the program runs on.
# shellcheck disable=SC2016,SC2034,SC2317 # conditions are evaluated later
. "${srcdir:-$(dirname "$0")/../..}/tests/runtime/lib.sh"

# faults GPROF FILE NAME LOW HIGH: in that flat profile.
faults() {
	"$1" -b -p a.out "$2" | awk -v name="$3" -v low="$4" -v high="$5" '
		/^Each sample counts as 1 page-faults/ { unit = 1 }
		$NF == name { n = $3 }
		END { if (unit && n >= low && n <= high) exit 0; print "# " n " in " name; exit 1 }'
}

# touched FILE [GPROF]: all that the program touched is in its place.
touched() {
	faults "${2:-$GPROF}" "$1" touch 9900 10100 && faults "${2:-$GPROF}" "$1" touch_more 2970 3030
}

# near_used RATE: the ticks of the last run are its CPU time since main(), within two hundredths and 4 ms.
near_used() {
	awk -v rate="$1" 'FILENAME == "out" && $1 == "used" { due = rate * $2 }
		/ ticks in the program/ { n = $4 + $10 }
		END { off = n - due; most = due / 50 + rate / 250; print "# " n " of " due; exit !(due > 0 && off < most && -off < most) }' out err
}

# has_mappings MOST: the last run told of so many counters at most, and of no descriptor more than without them.
has_mappings() {
	awk -v most="$1" -v n="$descriptors" '/^mappings/ { good = $2 <= most && $4 == n; print "#", $0 } END { exit !good }' out
}

test_event() {
	GMON=event=page-faults,verbose run_program events
	expect_in "page faults are where pages are first touched, by our gprof" events 'touched gmon.out.page-faults'
	if [ -n "$SYSTEM_GPROF" ]; then
		expect_in "... and by the system's" events 'touched gmon.out.page-faults "$SYSTEM_GPROF"'
	else
		tap_skip "... and by the system's" "no gprof of the system: install Debian package binutils"
	fi
	expect_in "... their profile has the calls, too" events 'reads_count gmon.out.page-faults touch 1'
	expect_in "... time is in a profile of its own" events \
		'"$GPROF" -b -p a.out gmon.out | grep -q "^Each sample counts as 0.01 seconds" && reads_count gmon.out touch 1'
	expect_in "... verbose counts them" events 'grep -q "^libgmon: 1[0-9]* page-faults in the program and [0-9]* outside" err'
	GMON=event=page-faults run_program events time
	expect_in "a page of the kernel's own, for which it looks twice" events '[ "$(cat status)" = 0 ] && touched gmon.out.page-faults'
	GMON=event=page-faults:1000 run_program events
	expect_in "a thousand to a sample" events '"$GPROF" -b -p a.out gmon.out.page-faults |
		awk "/^Each sample counts as 1 kpage-faults/ { unit = 1 } \$NF == \"touch\" { n = \$3 } END { exit !(unit && n == 10) }"'
	GMON=event=page-faults:50,stacks run_program events
	expect_in "fifty to a sample are counted as fifty" events 'touched gmon.out.page-faults'
	expect_in "... and are samples, which have an error" events '"$GPROF" -b -p --confidence a.out gmon.out.page-faults >said &&
		grep -q "^Each sample.* intervals of sampling" said'
	expect_in "... as their call stacks are" events '"$GPROF" -b --inclusive --clock=page-faults --confidence a.out gmon.out >said &&
		grep -q "^Each sample.* intervals of sampling" said'
	expect_in "with stacks they are a kind of its own" events '"$GPROF" -i a.out gmon.out >info &&
		grep -q "2 kind records" info && awk "/ticks of other kinds/ { n = \$1 } END { exit n < 12870 || n > 13200 }" info'
	GMON=event=page-faults,crash,jitter=no,seed=3 run_program events fork
	expect_in "a forked child has its own" events 'touched gmon.out.page-faults &&
		faults "$GPROF" "$(ls gmon.out.*[0-9].page-faults)" touch 495 530'
	GMON=event=page-faults run_program events close
	expect_in "the program closes all descriptors: there is none of ours" events \
		'touched gmon.out.page-faults && grep -q "^descriptor 3$" out'
	GMON='' run_program events exec
	descriptors=$(sed -n 's/^mappings 0 descriptors //p' "$scratch/events/out")
	GMON=event=page-faults,clock=task run_program events threads
	expect_in "threads that ended leave nothing behind" events 'faults "$GPROF" gmon.out.page-faults touch 13860 14140 &&
		has_mappings 30'
	GMON=event=page-faults,clock=task run_program events exec
	expect_in "exec leaves nothing behind but its own" events 'has_mappings 3'
}

test_task() {
	GMON=clock=task,rate=4000,verbose run_program events spin
	expect_in "clock=task: 4000 samples a second are the CPU time" events 'near_used 4000'
	GMON=clock=task,rate=1000,jitter=no,stacks,verbose run_program events spin
	expect_in "clock=task: stacks, at equal distances" events 'near_used 1000'
	GMON=clock=task,rate=10000,event=page-faults run_program events wait
	# A signal for the last instructions before a system call may be as late as that.
	expect_in "hardly a wait of 4000 ends early" events 'awk "/^early/ { print \"#\", \$0; exit \$2 > 10 }" out &&
		touched gmon.out.page-faults'
}

test_refused() {
	must_build refuse gcc -O1 "$programs/refuse.c" || return
	refuse=$scratch/refuse/a.out
	GMON=event=page-faults run_program events
	(cd "$scratch/events" && rm -f gmon.out* && GMON=event=page-faults run "$refuse" perf_event_open -- ./a.out)
	if [ "$(cat "$scratch/events/status")" = 77 ]; then
		tap_skip "a refused counter" "no system call filters"
		return
	fi
	expect_in "refused: one line says why, and there are calls without samples" events '[ "$(cat status)" = 0 ] &&
		[ "$(wc -l <err)" = 1 ] && grep -q "^libgmon: GMON=event: .* page-faults: Operation not permitted" err &&
		reads_count gmon.out touch 1 && "$GPROF" -b -q a.out gmon.out.page-faults | grep -q "touch_more"'
	(cd "$scratch/events" && GMON=clock=task,rate=4000 run "$refuse" perf_event_open -- ./a.out spin)
	expect_in "clock=task refused: threads have their timers, and no line says so" events \
		'[ "$(cat status)" = 0 ] && [ ! -s err ]'
	(cd "$scratch/events" && GMON=clock=task,verbose run "$refuse" perf_event_open -- ./a.out spin)
	expect_in "... but with verbose" events '[ "$(grep -c "^libgmon: GMON=clock=task: .*: Operation not permitted" err)" = 1 ] &&
		sampled_burnt gmon.out out'
	GMON=clock=task,signal=RTMIN+3,verbose run_program events spin
	expect_in "clock=task and a real-time signal: threads have their timers" events \
		'grep -q "^libgmon: GMON=clock=task: .*: Invalid argument" err && sampled_burnt gmon.out out'
}

make_scratch
what=events
must_build events gcc -O1 -pg -pthread "$programs/events.c" "$archive" || tap_done
GMON=event=page-faults run_program events
if grep -q '^libgmon: GMON=event: no samples' "$scratch/events/err"; then
	tap_skip "counters of the kernel" "refused: $(cat "$scratch/events/err")"
else
	test_event
	test_task
fi
test_refused
GMON=event=cycles,stacks run_program events
expect_in "hardware counters, there or not: the program runs" events '[ "$(cat status)" = 0 ] && reads_count gmon.out.cycles touch 1'
tap_done
