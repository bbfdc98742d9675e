#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# GMON=clock=wall: for what sort of descriptor threads wait, in names of system calls and on the first screen.
# shellcheck disable=SC2016,SC2034,SC2317 # conditions are evaluated later
. "${srcdir:-$(dirname "$0")/../..}/tests/runtime/lib.sh"

make_scratch
what=awaits
must_build awaits gcc -O1 -g -pg -pthread "$programs/awaits.c" "$archive" || tap_done
cd "$scratch/awaits" || exit 99

run env GMON=clock=wall ./a.out
if grep -q 'clock=wall' err; then
	tap_skip 'waiting by descriptor' "no waiting can be recorded here: $(head -n 1 err)"
	tap_done
	exit
fi
cp out said
evidence='said err stacks sums'
"$GPROF" --export=folded --clock=off --thread-view=all -o stacks a.out 2>>err

# waits FUNCTION CALL: whether nearly all that the function waited was in that call.
waits() {
	awk -v name="$1" -v call="[waiting: $2] " '
		index($0, ";" name ";") { all += $NF; of += index($0, ";" call) ? $NF : 0 }
		END { print "# " of, all; exit !(all > 0 && of >= 0.9 * all) }' stacks >sums
	sums=$?
	expect "$1: $2" '[ "$sums" = 0 ] || grep -q "^LEFT OUT $1$" said'
}

waits read_pipe 'pipe read'
waits write_pipe 'pipe write'
waits receive_local 'socket recvfrom'
waits accept_network 'network accept'
waits read_terminal 'terminal read'
waits read_event 'event read'
waits poll_pipe 'pipe poll'
waits poll_both poll
waits poll_network 'network poll'
waits lock_file flock

# first_wait NAME: what the first screen says of that wait alone.
first_wait() {
	GMON=clock=wall run ./a.out "$1"
	COLUMNS=100 "$GPROF" --top --thread-view=all a.out 2>>err | awk -v name="$1" '/^waits%/ { on = 1 } on && $NF ~ /awaits.c:/ && $(NF - 1) == name' >screen
}

evidence='screen'
first_wait read_pipe
expect 'the first screen: a reader waits for what is not yet in the pipe' 'grep -q "  pipe data  read_pipe" screen'
first_wait write_pipe
expect '... and a writer for room' 'grep -q "  pipe room  write_pipe" screen'
first_wait accept_network
expect '... for the network' 'grep -q "  network *accept_network" screen || grep -q "^LEFT OUT" out'
first_wait read_terminal
expect '... for the terminal' 'grep -q "  terminal *read_terminal" screen || grep -q "^LEFT OUT" out'
first_wait receive_local
expect '... for a socket inside the machine' 'grep -q "  socket *receive_local" screen || grep -q "^LEFT OUT" out'
first_wait lock_file
expect '... for a lock of a file' 'grep -q "  file lock *lock_file" screen || grep -q "^LEFT OUT" out'

# helper_turns: how often the thread of libgmon's that looks at the others has had a processor.
helper_turns() {
	for thread in "/proc/$pid/task"/*; do
		if grep -q '^gmon$' "$thread/comm"; then
			awk '{ print $3 }' "$thread/schedstat"
		fi
	done
}

# The kernel has these calls go on as another one, restart_syscall().
evidence='err stacks sums'
GMON=clock=wall ./a.out poll_pipe 2500 >out 2>err &
pid=$!
for try in $(seq 60); do
	turns=$(helper_turns 2>/dev/null)
	[ "${turns:-0}" -lt 20 ] || break
	sleep 0.03
done
kill -STOP $pid
sleep 0.05
kill -CONT $pid
wait $pid
"$GPROF" --export=folded --clock=off --thread-view=all -o stacks a.out 2>>err
awk '/;poll_pipe;/ { all += $NF; of += index($0, "[waiting: pipe poll] ") ? $NF : 0 } END { print of, all }' stacks >sums
expect "what was stopped and goes on is still in its call (stopped after $turns turns of the helper)" \
	'awk "{ exit !(\$2 > 0 && \$1 >= 0.99 * \$2) }" sums'
tap_done
