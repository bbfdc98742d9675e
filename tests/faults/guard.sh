#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The process that reads hostile files dies: gprof says so and ends with status 1; or by the signal, if it is one
# that users send. And nothing goes on when gprof itself is killed.
# shellcheck disable=SC2016,SC2317 # conditions are evaluated later
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/faults/lib.sh"

# child_of PID: the process that gprof made, as soon as it is there.
child_of() {
	for _ in $(seq 100); do
		found=$(grep -l "^PPid:[[:blank:]]*$1\$" /proc/[0-9]*/status 2>/dev/null | head -n 1)
		[ -z "$found" ] || break
		sleep 0.05
	done
	[ -n "$found" ] || return
	found=${found#/proc/}
	echo "${found%/status}"
}

# ends PID: soon.
ends() {
	for _ in $(seq 100); do
		[ -e "/proc/$1" ] || return 0
		sleep 0.05
	done
	false
}

# start: gprof, in $parent and $child, waits for its standard input.
start() {
	sleep 60 >input &
	sleeper=$!
	exec 3<input
	"$GPROF" --bb-convert a.out <input >"$scratch/out" 2>"$scratch/err" &
	parent=$!
	exec 3<&-
	child=$(child_of $parent)
}

finish() {
	wait $parent
	echo $? >"$scratch/status"
	kill $sleeper 2>/dev/null
	wait $sleeper
}

# crash SIGNAL WORDS: what is said of the child's end.
crash() {
	start
	kill -s "$1" "$child"
	finish
	expect "a crash by $1" "says 'a.out: $2'"
}

# asked SIGNAL NUMBER: to end.
asked() {
	start
	kill -s "$1" "$child"
	finish
	expect "ended by $1, and so does gprof" '[ "$(cat "$scratch/status")" = '$((128 + $2))' ] && [ ! -s "$scratch/err" ]'
}

[ -e /proc/self/status ] || tap_skip_all 'no /proc'
make_scratch
cd "$scratch" || exit 99
make_two_profiles
mkfifo input
crash SEGV 'reading it crashed (Segmentation fault)'
crash BUS 'reading it crashed (Bus error)'
crash ABRT 'reading it crashed (Aborted)'
crash XCPU 'reading it took too much processor time'
crash VTALRM 'reading it took too long'
crash KILL 'killed, perhaps for want of memory'
trap '' XCPU VTALRM
crash XCPU 'reading it took too much processor time'
crash VTALRM 'reading it took too long'
trap - XCPU VTALRM
asked TERM 15
asked PIPE 13
start
kill -s KILL $parent
finish 2>/dev/null
expect 'gprof is killed, and so is its child' 'ends $child'
run_gprof -b a.out gmon.out
expect 'a report' 'ended_well && [ -s "$scratch/out" ]'
run env --ignore-signal=CHLD "$GPROF" -b a.out gmon.out
expect 'a report where ends of children are ignored' 'ended_well && [ -s "$scratch/out" ]'

# More than a pipe holds, so that it waits there.
{
	echo 'text 0x401000 0x4000'
	for i in $(seq 2000); do
		echo "sym a_function_of_a_long_name_in_a_long_program_$i $((0x401000 + 4 * i))"
	done
	printf '%s\n' 'sym etext 0x405000 notype' profile 'hist 0x401000 0x405000 16 100' 'tick 0x401100 30'
} | make_profile
mkfifo output
# shellcheck disable=SC2217 # it holds the pipe open
sleep 60 <output &
sleeper=$!
"$GPROF" -b -p -z a.out gmon.out >output 2>"$scratch/err" &
parent=$!
child=$(child_of $parent)
sleep 1
expect 'its limits are in force while it writes' 'grep -q "^Max cpu time *[0-9]" "/proc/$child/limits"'
kill $sleeper $parent
wait 2>/dev/null

if can_interfere 'without a process to read in: one line'; then
	run "$TOOLS/interfere" clone 1 EAGAIN "$GPROF" -b a.out gmon.out
	if [ "$(cat "$scratch/status")" = 77 ]; then
		tap_skip 'without a process to read in: one line' 'this kernel cannot interfere'
	else
		expect 'without a process to read in: one line' \
			'says "a.out: cannot start a process to read it: Resource temporarily unavailable"'
	fi
fi
tap_done
