#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The file of GMON=crash is this process's alone: others that run in the same directory, or have put something
# there, lose nothing and spoil nothing; nor does the program die of what somebody does to the file.
# shellcheck disable=SC2016,SC2034,SC2317 # conditions are evaluated later
. "${srcdir:-$(dirname "$0")/../..}/tests/runtime/lib.sh"

# await_lines NAME N: waits until the run has said so many lines.
await_lines() {
	tries=0
	until [ "$(wc -l <"out-$1")" -ge "$2" ] || [ $tries -eq 300 ]; do
		sleep 0.02
		tries=$((tries + 1))
	done
}

# start NAME ARGUMENT...: in the background, its output in the files out-NAME and err-NAME; waits until it has said
# that it made calls. Its number is in $pid. With words in $under, a command that becomes the program starts it.
under=
start() {
	start_name=$1
	shift
	: >"out-$start_name"
	# shellcheck disable=SC2086 # words
	env --default-signal=TERM $under ./a.out "$@" >"out-$start_name" 2>"err-$start_name" </dev/null &
	pid=$!
	await_lines "$start_name" 1
}

# goes_on NAME: waits until it has made more calls, and said so.
goes_on() {
	await_lines "$1" $(($(wc -l <"out-$1") + 2))
}

# end SIGNAL NUMBER: ends a process that start() has started; its status is in $status.
end() {
	kill -"$1" "$2" 2>/dev/null
	wait "$2" 2>/dev/null
	status=$?
}

# calls PROFILE: of leaf().
calls() {
	"$GPROF" -b -p a.out "$1" 2>complaints | awk '$NF == "leaf" { n = $4 } END { print n + 0 }'
}

# has_said PROFILE NAME: what the run NAME had said before it was killed is in the profile, and not twice as much.
has_said() {
	said=$(tail -n 1 "out-$2")
	[ "${said:-0}" -gt 0 ] && counted=$(calls "$1") && [ "$counted" -ge "$said" ] && [ "$counted" -le $((said + 1000)) ]
}

# true_here WHAT CONDITION: in this directory.
true_here() {
	if eval "$2"; then
		tap_ok "$1"
	else
		tap_not_ok "$1"
		{
			echo "condition: $2, status $status"
			ls -l
			cat err-* complaints
		} | tap_note
	fi
}

fresh() {
	rm -rf gmon.out* out-* err-* there
	: >complaints
}

test_two() {
	fresh
	GMON=crash
	start first 4
	first=$pid
	start second 4
	sleep 0.1
	end KILL "$pid"
	second_status=$status
	end KILL "$first"
	true_here "two processes in one directory: both live until they are killed" '[ $status = 137 ] && [ $second_status = 137 ]'
	true_here "two processes: the first one's counts are its own" 'has_said gmon.out.live first'
	true_here "two processes: the second has a file of its own" 'has_said "gmon.out.$pid.live" second'
	start third 1
	end KILL "$pid"
	true_here "a file that a dead process has left is replaced" \
		'has_said gmon.out.live third && [ "$(count_files gmon.out*.live)" = 2 ]'
	GMON=crash,term
	fresh
	start first 1
	first=$pid
	start second 1
	end TERM "$pid"
	true_here "who ends well removes its own file, not the other's" \
		'[ -f gmon.out.live ] && [ "$(count_files gmon.out*.live)" = 1 ]'
	end KILL "$first"
	true_here "which then still has its counts" 'has_said gmon.out.live first'
}

# A directory with a file of that name, which is not a live one of this process.
test_directory() {
	fresh
	GMON=crash
	mkdir there
	head -c 1000000 /dev/zero | tr '\0' '\377' >there/gmon.out.live
	cp there/gmon.out.live planted
	start moved 1 there
	sleep 0.1
	end KILL "$pid"
	true_here "chdir(): what lies under the name there is not touched" \
		'[ $status = 137 ] && cmp -s planted there/gmon.out.live'
	true_here "chdir(): all counts are where they were from the start" \
		'has_said gmon.out.live moved && [ "$("$GPROF" -b -p a.out gmon.out.live | grep -c " f[0-9]*$")" -gt 190 ]'
}

# planted WHAT: the name is taken by this. The program runs, says so, and takes another file.
planted() {
	start taken 1
	sleep 0.05
	end KILL "$pid"
	true_here "$1 under the name: not used, and said" \
		'[ $status = 137 ] && grep -q "not a file of libgmon, left alone: gmon.out.live" err-taken && has_said "gmon.out.$pid.live" taken'
}

test_planted() {
	fresh
	GMON=crash
	echo 'somebody else' >gmon.out.live
	planted "a file that is none of GMON=crash"
	true_here "it stays" '[ "$(cat gmon.out.live)" = "somebody else" ]'
	fresh
	echo victim >victim
	ln -s victim gmon.out.live
	planted "a link"
	true_here "what it leads to stays" '[ "$(cat victim)" = victim ]'
	fresh
	mkfifo gmon.out.live
	planted "a pipe"
	fresh
	start left 1
	end KILL "$pid"
	cp gmon.out.live planted
	by_root test_foreign 'a live file of another user in a sticky directory'
}

test_foreign() {
	GMON=crash
	what="a live file of another user in a sticky directory"
	if [ -n "$tap_only" ]; then
		fresh
		start left 1
		end KILL "$pid"
		cp gmon.out.live planted
	fi
	chmod 1777 .
	chown 65534 gmon.out.live
	planted "$what"
	true_here "$what stays" 'cmp -s planted gmon.out.live'
	chmod 755 .
}

# While the kernel takes long to tell how long the file is, other threads make it longer.
test_together() {
	what="threads add tables to the file at the same time: none takes it for truncated"
	if ! strace -e inject=statx:delay_exit=1000 true 2>/dev/null; then
		tap_skip "$what" "no strace that can delay: install Debian package strace"
		return
	fi
	fresh
	: >traced
	GMON=crash
	under='strace -D -f -o traced -e trace=statx -e inject=statx:delay_exit=20000'
	start together 8
	under=
	tries=0
	until [ "$(grep -c statx traced)" -ge 16 ] || [ $((tries += 1)) -gt 300 ]; do sleep 0.02; done
	end KILL "$pid"
	true_here "$what" '[ $status = 137 ] && [ "$(grep -c statx traced)" -ge 16 ] && ! grep -q libgmon err-together &&
		has_said gmon.out.live together'
	rm -f traced
}

test_spoiled() {
	GMON=crash,term
	fresh
	start cut 4
	: >gmon.out.live
	goes_on cut
	end TERM "$pid"
	true_here "the file is cut: the program lives, says it, and writes its profile" \
		'[ $status = 143 ] && grep -q "^libgmon: .*somebody has truncated gmon.out.live" err-cut && [ "$(calls gmon.out)" -gt 0 ]'
	fresh
	start regrown 1 . there
	: >gmon.out.live
	: >there
	goes_on regrown
	end TERM "$pid"
	true_here "... also if the next that it does is to add a table to the file, which stays empty" \
		'[ $status = 143 ] && grep -q "^libgmon: .*somebody has truncated gmon.out.live" err-regrown && [ ! -s gmon.out.live ] &&
		 [ "$(calls gmon.out)" -gt 0 ]'
	fresh
	start spoiled 4 .
	head -c 3000000 /dev/zero | tr '\0' '\377' | dd of=gmon.out.live conv=notrunc 2>>complaints
	sleep 0.2
	end TERM "$pid"
	true_here "the file is filled with ones: no pointer is followed, no size believed" '[ $status = 143 ] && [ -s gmon.out ]'
	true_here "... nor a count that cannot be, and it is said" \
		'[ $(wc -c <gmon.out) -lt 4000000 ] && grep -q "^libgmon: impossible counts .* written to gmon.out.live$" err-spoiled'
	fresh
	GMON=crash
	start removed 1 .
	rm -f gmon.out.live
	mkfifo gmon.out.live
	sleep 0.1
	end KILL "$pid"
	true_here "the name becomes a pipe: nothing hangs" '[ $status = 137 ] && [ -p gmon.out.live ]'
}

# SIGBUS of the program's own making.
test_bus() {
	fresh
	GMON=crash
	start killed 1
	end BUS "$pid"
	true_here "SIGBUS from elsewhere ends the program as ever" '[ $status = 135 ] && has_said gmon.out.live killed'
	rm -f core*
}

# Forked children.
test_children() {
	what=children
	must_build children gcc -O1 -pg -pthread "$programs/processes.c" "$archive" || return
	cd "$scratch/children" || exit 99
	fresh
	GMON=crash ./a.out children >out-children 2>err-children
	status=$?
	true_here "children that make calls and go on to exec() leave no file" \
		'[ $status = 0 ] && [ "$(count_files gmon.out*)" = 1 ] && [ -s gmon.out ]'
	fresh
	GMON=crash ./a.out killed >out-killed 2>err-killed
	status=$?
	mv gmon.out.*.live gmon.out.live
	# Of 0.2 s, the scheduler gives each of two threads its part, and one of them spends its own in counting.
	true_here "a child that is killed after some time leaves all that it counted, from the fork on" '[ $status = 0 ] &&
		"$GPROF" -b -q a.out gmon.out.live >graph 2>complaints &&
		awk -f "$srcdir/tests/differential/callgraph.awk" -v counts=1 graph | grep -qx "arc child_work leaf 500" &&
		"$GPROF" -b -q a.out gmon.out.live | grep -q "thread_work" && sampled gmon.out.live 0.03 0.5'
}

env --default-signal=TERM true 2>/dev/null || tap_skip_all 'env has no --default-signal (GNU coreutils 8.31)'
make_scratch
what=endless status=0
must_build endless gcc -O1 -pg -pthread "$programs/endless.c" "$archive" || tap_done
cd "$scratch/endless" || exit 99
export GMON
# shellcheck disable=SC3045 # every shell has it
ulimit -t 60
# shellcheck disable=SC3045 # no core files
ulimit -c 0
only_part
test_two
test_together
test_directory
test_planted
test_spoiled
test_bus
test_children
tap_done
