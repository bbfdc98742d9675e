#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The life of a profiled process, by situations that a recorder gets wrong easily: the C library's does in
# most of them. What a full disk, refused memory and the like do to it: refusals.sh. Elsewhere:
#   threads, handlers that interrupt, several callers in 16 bytes, callbacks from libraries, recursion and
#   jumps, handlers on other stacks, many arcs, counts above 2^32          exact.sh
#   counts above 2^32 and bins above 65535 in the file                     unit/runtime_write.c
#   SIGTERM and SIGKILL at any moment                                      signals.sh
#   samples per thread, on a loaded machine                                sampling.sh
# shellcheck disable=SC2016,SC2034,SC2317 # conditions are evaluated later
. "${srcdir:-$(dirname "$0")/../..}/tests/runtime/lib.sh"

# program NAME [FLAG...]: builds programs/NAME.c in the directory NAME.
program() {
	name=$1
	shift
	build "$name" gcc -O1 -pg -pthread -I"$srcdir/include" "$programs/$name.c" "$@" "$archive" -ldl
}

test_ends() {
	program ends || return
	mkdir "$scratch/ends/below"
	run ends return
	expect=3 check_counts "return from main: written" ends
	run ends exit
	expect=3 check_counts "exit: written" ends
	run ends quick_exit
	expect=3 check_counts "quick_exit: written" ends
	run ends _exit
	expect "_exit: not written, but nothing is left behind" ends no_profile
	GMON='' run ends _exit+
	GMON='' expect=3 check_counts "_exit: written by a dump on request" ends
	GMON='' run ends abort+
	GMON='' expect=134 check_counts "abort: written by a dump on request" ends
	GMON='' run ends segv+
	GMON='' expect=139 check_counts "SIGSEGV: written by a dump on request" ends
	GMON='' run ends kill+
	GMON='' expect=137 check_counts "SIGKILL: written by a dump on request" ends
	run ends chdir
	expect=3 check_counts "chdir: written in the directory at exit" ends below/gmon.out
	rm -f "$scratch/ends/below/gmon.out"
	GMON=verbose,dir=start run ends chdir
	expect=3 check_counts "chdir, GMON=dir=start: written in the directory at start" ends gmon.out
	GMON_OUT_PREFIX=named run ends return
	expect "GMON_OUT_PREFIX: the name and the number of the process" ends \
		'[ $(count named.[0-9]*) = 1 ] && no_profile'
	GMON=verbose,file=%e-%p-%r.prof PMI_RANK=5 run ends return
	expect "GMON=file=: program, process, rank" ends \
		'[ $(count a.out-[0-9]*-5.prof) = 1 ] && no_profile'
	GMON=verbose,nonsense=1,file=x.prof run ends return
	expect "an unknown key of GMON is one line, and the rest works" ends \
		'[ "$(grep -c "ignored in GMON: nonsense=1" err)" = 1 ] && [ -f x.prof ]'
	runs=20
	while [ $runs -gt 0 ]; do
		run ends threads
		expect=3 reads_well ends || break
		runs=$((runs - 1))
	done
	expect "threads running during exit: 20 times a readable profile" ends '[ $runs -eq 0 ]'
}

# reads_well DIR: the last run ended as it should and its profile has calls.
reads_well() {
	(
		cd "$scratch/$1" && [ "$(cat status)" = "${expect:-0}" ] &&
			"$GPROF" -b -p a.out gmon.out >flat 2>complaints && ! grep -qv 'gprof: note: ' complaints &&
			awk '$NF == "leaf" && $4 > 0 { found = 1 } END { exit !found }' flat
	)
}

# check_child WHAT DIR PROFILE: what the child of a fork told and recorded.
check_child() {
	mkdir -p "$scratch/child"
	cp "$scratch/$2/a.out" "$scratch/child/"
	cp "$scratch/$2/child" "$scratch/child/out"
	cp "$scratch/$2/err" "$scratch/$2/status" "$scratch/child"
	cp "$scratch/$2/$3" "$scratch/child/gmon.out" || return
	check_counts "$1" child
}

test_processes() {
	program processes || return
	run processes fork
	check_counts "fork: the parent's profile has its own calls" processes
	pid=$(cat "$scratch/processes/pid")
	check_child "fork: the child's file is its own, its counts start from zero" processes "gmon.out.$pid"
	expect "fork: two files" processes '[ $(count gmon.out*) = 2 ]'
	GMON_OUT_PREFIX=named run processes fork
	pid=$(cat "$scratch/processes/pid")
	check_child "fork, GMON_OUT_PREFIX: the child's file" processes "named.$pid"
	rm "$scratch/processes/named.$pid"
	expect "fork, GMON_OUT_PREFIX: the parent's file" processes \
		'[ $(count named.[0-9]*) = 1 ] && no_profile'
	runs=20
	while [ $runs -gt 0 ]; do
		run processes threads
		cp "$scratch/processes/child" "$scratch/processes/out"
		differences processes "gmon.out.$(cat "$scratch/processes/pid")" || break
		runs=$((runs - 1))
	done
	expect "fork while threads make calls: the child's counts are its own, 20 times" \
		processes '[ $runs -eq 0 ]'
	run processes burn
	pid=$(cat "$scratch/processes/pid")
	expect "fork: the child is sampled, from zero" processes 'sampled gmon.out.$pid 0.4 0.6'
	expect "fork: the parent keeps its samples" processes 'sampled gmon.out 0.2 0.4'
	run processes exec
	expect "exec of another program: it lives, unprofiled" processes \
		'[ "$(cat status)" = 0 ] && no_profile'
	run processes vfork
	check_counts "vfork: the child's calls are the parent's" processes
	for how in system spawn; do
		run processes $how
		check_counts "$how: the parent's counts" processes
		expect "$how: no other profile" processes '[ $(count gmon.out*) = 1 ]'
	done
	cp "$scratch/processes/a.out" "$scratch/processes/with-archive"
	what='processes, preloaded'
	build processes gcc -O1 -pg -pthread "$programs/processes.c" || return
	for how in system spawn exec; do
		LD_PRELOAD=$builddir/libgmon.so run processes $how
		expect "$how, preloaded: nothing is written for the shell" processes \
			'[ "$(cat status)" = 0 ] && [ $(count gmon.out*) -le 1 ]'
	done
}

test_control() {
	program control || return
	run control pause
	check_counts "moncontrol(0): calls made meanwhile are not counted" control
	GMON=verbose,off run control resume
	check_counts "GMON=off: counts from moncontrol(1) on" control
	run control start-twice
	check_counts "monstartup twice: the second is ignored" control
	run control end-twice
	check_counts "_mcleanup twice: harmless" control
	run control again
	check_counts "monstartup after _mcleanup: starts from zero" control
	expect "monstartup after _mcleanup: both profiles are written" control '[ -s gmon.first ]'
	run control reset
	check_counts "gmon_reset: starts from zero" control
	run control dump
	check_counts "gmon_dump: the profile as it was then" control gmon.first
	expect "gmon_dump: the recording goes on" control 'reads_count gmon.out leaf 107'
}

missing='samples are missing: the program blocks or handles the signal of the clock'

test_clocks() {
	program clocks || return
	run clocks
	expect "samples, errno kept by the handler" clocks '[ "$(cat status)" = 0 ] && sampled gmon.out 0.4 0.6'
	for how in block ignore; do
		run clocks $how
		expect "SIGPROF, program does '$how': GMON=verbose says that samples are missing" clocks \
			'[ "$(cat status)" = 0 ] && grep -q "$missing" err && sampled gmon.out 0 0'
	done
	GMON='' run clocks default
	expect "SIGPROF set to its default: killed, as with the C library" clocks '[ "$(cat status)" = 155 ]'
	run clocks handle
	expect "SIGPROF has the program's own handler: GMON=verbose says so" clocks 'grep -q "$missing" err'
	for how in block ignore default handle; do
		GMON=verbose,signal=RTMIN+3 run clocks $how
		expect "SIGPROF, program does '$how', GMON=signal=RTMIN+3: sampled" clocks \
			'[ "$(cat status)" = 0 ] && sampled gmon.out 0.4 0.6'
	done
	run clocks timer
	expect "the program uses ITIMER_PROF itself: sampled, its timer is its own" clocks \
		'[ "$(cat status)" = 0 ] && sampled gmon.out 0.4 0.6'
	GMON=verbose,clock=profil run clocks
	# That clock counts whole ticks of the kernel, whoever used them.
	expect "GMON=clock=profil: sampled" clocks '[ "$(cat status)" = 0 ] && sampled gmon.out 0.05 5'
	GMON=verbose,rate=250 run clocks
	expect "GMON=rate=250: samples of 0.004 s" clocks \
		'sampled gmon.out 0.4 0.6 && "$GPROF" -b -p a.out gmon.out | grep -q "counts as 0.004 sec"'
	run clocks library
	expect "CPU time in libraries is accounted for on request" clocks \
		'[ "$(sed -n "s/.* \([0-9]*\) outside.*/\1/p" err)" -ge 40 ]'
	program sleeps || return
	GMON=verbose,rate=250 run sleeps
	expect "system calls are not interrupted by samples of other threads" sleeps \
		'[ "$(cat status)" = 0 ] && [ ! -s out ]'
}

test_plugins() {
	program plugins || return
	for padding in 1 100000; do
		gcc -O1 -pg -fPIC -shared -DPADDING=$padding "$programs/plugin.c" \
			-o "$scratch/plugins/$padding.so"
	done
	run plugins ./1.so ./100000.so
	check_counts "libraries built with -pg are loaded and unloaded" plugins
	what='plugins, preloaded'
	build plugins gcc -O1 -pg "$programs/plugins.c" -ldl || return
	LD_PRELOAD=$builddir/libgmon.so run plugins ./1.so ./100000.so
	check_counts "libraries built with -pg are loaded and unloaded, preloaded libgmon" plugins
	what='plugin, linked'
	build plugins gcc -O1 -pg -DOUTSIDE='"_start"' "$programs/plugins.c" "$scratch/plugins/1.so" "$archive" -ldl ||
		return
	run plugins "$scratch/plugins/1.so"
	check_counts "a library built with -pg is linked in" plugins
	what='plugin alone'
	build plugins gcc -O1 "$programs/plugins.c" -ldl || return
	run plugins ./1.so
	expect "only the library is built with -pg: nothing happens" plugins '[ "$(cat status)" = 0 ] && no_profile'
}

make_scratch
what=
unset PMI_RANK
test_ends
test_processes
test_control
test_clocks
test_plugins
tap_done
