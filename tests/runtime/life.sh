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

# build_program NAME [FLAG...]: builds programs/NAME.c in the directory NAME.
build_program() {
	name=$1
	shift
	must_build "$name" gcc -O1 -pg -pthread -I"$srcdir/include" "$programs/$name.c" "$@" "$archive" -ldl
}

test_ends() {
	build_program ends || return
	mkdir "$scratch/ends/below"
	run_program ends return
	wanted_status=3 check_counts "return from main: written" ends
	run_program ends exit
	wanted_status=3 check_counts "exit: written" ends
	run_program ends quick_exit
	wanted_status=3 check_counts "quick_exit: written" ends
	run_program ends _exit
	expect_in "_exit: not written, but nothing is left behind" ends no_profile
	GMON='' run_program ends _exit+
	GMON='' wanted_status=3 check_counts "_exit: written by a dump on request" ends
	GMON='' run_program ends abort+
	GMON='' wanted_status=134 check_counts "abort: written by a dump on request" ends
	GMON='' run_program ends segv+
	GMON='' wanted_status=139 check_counts "SIGSEGV: written by a dump on request" ends
	GMON='' run_program ends kill+
	GMON='' wanted_status=137 check_counts "SIGKILL: written by a dump on request" ends
	run_program ends chdir
	wanted_status=3 check_counts "chdir: written in the directory at exit" ends below/gmon.out
	rm -f "$scratch/ends/below/gmon.out"
	GMON=verbose,dir=start run_program ends chdir
	wanted_status=3 check_counts "chdir, GMON=dir=start: written in the directory at start" ends gmon.out
	rm -rf "$scratch/ends/below/$scratch" && mkdir -p "$scratch/ends/below$scratch/ends"
	rm -f "$scratch"/ends/gmon.out*
	(cd "$scratch/ends" && GMON=verbose,dir=start run $as_root ./a.out chroot)
	if [ "$(cat "$scratch/ends/status")" != 3 ] && ! $as_root true 2>/dev/null; then
		tap_skip "chroot, GMON=dir=start" "only root can have another root, and there are no name spaces"
	else
		wanted_status=3 check_counts "chroot, GMON=dir=start: written in the current directory" ends below/gmon.out
		expect_in "chroot, GMON=dir=start: which a line says" ends \
			'grep -q "GMON=dir=start: writes to the current directory, as chroot() .* $scratch/ends$" err'
	fi
	rm -rf "$scratch/ends/below"
	run_program ends reopen
	expect_in "the program has a file of its own where stderr was: no line of ours is in it" ends \
		'[ "$(cat status)" = 3 ] && [ "$(cat data)" = "data of the program" ] && reads_count gmon.out leaf 1000'
	(cd "$scratch/ends" && rm -f data gmon.out && sh -c 'rm stderr; sleep 0.05; exec ./a.out reopen' 2>stderr >out)
	expect_in "... nor if the number of its file was that of stderr, which somebody has removed" ends \
		'[ "$(cat data)" = "data of the program" ] && reads_count gmon.out leaf 1000'
	(cd "$scratch/ends" && rm -f data gmon.out && exec ./a.out reopen 2>&- >out)
	expect_in "... nor if there was no stderr at the start" ends \
		'[ "$(cat data)" = "data of the program" ] && reads_count gmon.out leaf 1000'
	GMON_OUT_PREFIX=named run_program ends return
	expect_in "GMON_OUT_PREFIX: the name and the number of the process" ends \
		'[ $(count_files named.[0-9]*) = 1 ] && no_profile'
	GMON=verbose,file=%e-%p-%r.prof PMI_RANK=5 run_program ends return
	expect_in "GMON=file=: program, process, rank" ends \
		'[ $(count_files a.out-[0-9]*-5.prof) = 1 ] && no_profile'
	GMON=verbose,nonsense=1,file=x.prof run_program ends return
	expect_in "an unknown key of GMON is one line, and the rest works" ends \
		'[ "$(grep -c "ignored in GMON: nonsense=1" err)" = 1 ] && [ -f x.prof ]'
	runs=20
	while [ $runs -gt 0 ]; do
		run_program ends threads
		wanted_status=3 reads_well ends || break
		runs=$((runs - 1))
	done
	expect_in "threads running during exit: 20 times a readable profile" ends '[ $runs -eq 0 ]'
}

# reads_well DIR: the last run ended as it should and its profile has calls.
reads_well() {
	(
		cd "$scratch/$1" && [ "$(cat status)" = "${wanted_status:-0}" ] &&
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
	build_program processes || return
	run_program processes fork
	check_counts "fork: the parent's profile has its own calls" processes
	pid=$(cat "$scratch/processes/pid")
	check_child "fork: the child's file is its own, its counts start from zero" processes "gmon.out.$pid"
	expect_in "fork: two files" processes '[ $(count_files gmon.out*) = 2 ]'
	GMON_OUT_PREFIX=named run_program processes fork
	pid=$(cat "$scratch/processes/pid")
	check_child "fork, GMON_OUT_PREFIX: the child's file" processes "named.$pid"
	rm "$scratch/processes/named.$pid"
	expect_in "fork, GMON_OUT_PREFIX: the parent's file" processes \
		'[ $(count_files named.[0-9]*) = 1 ] && no_profile'
	runs=20
	while [ $runs -gt 0 ]; do
		run_program processes threads
		cp "$scratch/processes/child" "$scratch/processes/out"
		differences processes "gmon.out.$(cat "$scratch/processes/pid")" || break
		runs=$((runs - 1))
	done
	expect_in "fork while threads make calls: the child's counts are its own, 20 times" \
		processes '[ $runs -eq 0 ]'
	run_program processes burn
	pid=$(cat "$scratch/processes/pid")
	expect_in "fork: the child is sampled, from zero" processes 'sampled_burnt gmon.out.$pid child'
	expect_in "fork: the parent keeps its samples" processes 'sampled_burnt gmon.out out 2'
	run_program processes defaults
	expect_in "fork: a child that makes all signals default ones lives" processes \
		'[ "$(cat status)" = 0 ] && reads_count "gmon.out.$(cat pid)" child_work 1'
	run_program processes stopped
	pid=$(cat "$scratch/processes/pid")
	check_child "a recording that was stopped, and started in a child of fork: its calls" processes "gmon.out.$pid"
	expect_in "and its samples" processes 'sampled_burnt gmon.out.$pid child 2'
	run_program processes exec
	expect_in "exec of another program: it lives, unprofiled" processes \
		'[ "$(cat status)" = 0 ] && no_profile'
	run_program processes again
	expect_in "exec of a profiled program: GMON=verbose says that something came before" processes \
		'[ "$(cat status)" = 0 ] && grep -q "^libgmon: [0-9][0-9]* ms of that were before the recording: .*exec()" err'
	run_program processes fork
	expect_in "no exec: not a word of it" processes '! grep -q "before the recording" err'
	run_program processes vfork
	check_counts "vfork: the child's calls are the parent's" processes
	for GMON in verbose verbose,crash; do
		run_program processes raw
		check_counts "clone() past the C library, GMON=$GMON: the child counts nowhere" processes
		expect_in "clone(), GMON=$GMON: one profile" processes '[ "$(count_files gmon.out*)" = 1 ]'
	done
	GMON=verbose
	for how in system spawn; do
		run_program processes $how
		check_counts "$how: the parent's counts" processes
		expect_in "$how: no other profile" processes '[ $(count_files gmon.out*) = 1 ]'
	done
	cp "$scratch/processes/a.out" "$scratch/processes/with-archive"
	what='processes, preloaded'
	must_build processes gcc -O1 -pg -pthread "$programs/processes.c" || return
	for how in system spawn exec; do
		LD_PRELOAD=$builddir/libgmon.so run_program processes $how
		expect_in "$how, preloaded: nothing is written for the shell" processes \
			'[ "$(cat status)" = 0 ] && [ $(count_files gmon.out*) -le 1 ]'
	done
}

test_control() {
	build_program control || return
	run_program control pause
	check_counts "moncontrol(0): calls made meanwhile are not counted" control
	GMON=verbose,off run_program control resume
	check_counts "GMON=off: counts from moncontrol(1) on" control
	run_program control start-twice
	check_counts "monstartup twice: the second is ignored" control
	run_program control end-twice
	check_counts "_mcleanup twice: harmless" control
	run_program control again
	check_counts "monstartup after _mcleanup: starts from zero" control
	expect_in "monstartup after _mcleanup: both profiles are written" control '[ -s gmon.first ]'
	run_program control cycles
	check_counts "monstartup and _mcleanup 300 times: the last counts, and memory stays" control
	run_program control range
	expect_in "monstartup for another range: the histogram is of that" control \
		'[ "$(($(od -An -t d8 -j 29 -N 8 gmon.out) - $(od -An -t d8 -j 21 -N 8 gmon.out)))" = 128 ]'
	run_program control reset
	check_counts "gmon_reset: starts from zero" control
	run_program control dump
	check_counts "gmon_dump: the profile as it was then" control gmon.first
	expect_in "gmon_dump: the recording goes on" control 'reads_count gmon.out leaf 107'
}

missing='samples are missing: the program blocks or handles the signal of the clock'

test_clocks() {
	build_program clocks || return
	run_program clocks
	expect_in "samples, errno kept by the handler" clocks '[ "$(cat status)" = 0 ] && sampled_all gmon.out'
	for how in block ignore; do
		run_program clocks $how
		expect_in "SIGPROF, program does '$how': GMON=verbose says that samples are missing" clocks \
			'[ "$(cat status)" = 0 ] && grep -q "$missing" err && sampled gmon.out 0 0'
	done
	GMON='' run_program clocks default
	expect_in "SIGPROF set to its default: killed, as with the C library" clocks '[ "$(cat status)" = 155 ]'
	run_program clocks handle
	expect_in "SIGPROF has the program's own handler: GMON=verbose says so" clocks 'grep -q "$missing" err'
	for how in block ignore default handle; do
		GMON=verbose,signal=RTMIN+3 run_program clocks $how
		expect_in "SIGPROF, program does '$how', GMON=signal=RTMIN+3: sampled" clocks \
			'[ "$(cat status)" = 0 ] && sampled_all gmon.out'
	done
	run_program clocks timer
	expect_in "the program uses ITIMER_PROF itself: sampled, its timer is its own" clocks \
		'[ "$(cat status)" = 0 ] && sampled_all gmon.out'
	GMON=verbose,clock=profil run_program clocks
	# That clock counts whole ticks of the kernel, whoever used them.
	expect_in "GMON=clock=profil: sampled" clocks '[ "$(cat status)" = 0 ] && sampled gmon.out 0.05 5'
	GMON=verbose,jitter=no,seed=26 run_program clocks
	expect_in "GMON=jitter=no,seed=26: sampled" clocks '[ "$(cat status)" = 0 ] && sampled_all gmon.out'
	GMON=verbose,rate=250 run_program clocks
	expect_in "GMON=rate=250: samples of 0.004 s" clocks \
		'sampled_all gmon.out && "$GPROF" -b -p a.out gmon.out | grep -q "counts as 0.004 sec"'
	# The kernel's own count of signals, and of those that came too late to be apart, where there is much to do; at
	# 5000 a second, twenty would always be one.
	if command -v strace >/dev/null; then
		(cd "$scratch/clocks" && run strace -e trace=timer_settime,rt_sigaction -e signal=none -o order ./a.out)
		expect_in "no clock is armed before its signal is handled, which would kill" clocks '
			[ "$(cat status)" = 0 ] && awk "/^rt_sigaction.SIGPROF, \\{/ { handled = 1 }
				/^timer_settime/ { armed = 1; if (!handled) exit } END { exit !armed || !handled }" order'
		(cd "$scratch/clocks" && rm -f gmon.out* && GMON=verbose,rate=5000 run strace -f -e trace=none -o signals ./a.out)
		expect_in "GMON=rate=5000: as many samples as the timer has seen ticks of the kernel, and the same time" clocks '
			[ "$(cat status)" = 0 ] && grep -q "^libgmon: GMON=rate: the kernel.s clock allows for" err &&
			sampled_all gmon.out && awk "
				FILENAME == \"signals\" && /SIGPROF/ {
					n += (1 + substr(\$0, index(\$0, \"overrun=\") + 8)) / 64
				}
				/ ticks in the program/ { ticks = \$4 + \$10 }
				END { print \"# \" ticks, n; exit ticks == 0 || ticks > 1.5 * n }" signals err'
	else
		tap_skip "GMON=rate=5000" "no strace: install Debian package strace"
	fi
	run_program clocks library
	expect_in "CPU time in libraries is accounted for on request" clocks \
		'awk "/ outside at / { n = \$10 } / ticks more belong to no function/ { unknown = \$2 } END { exit !(n > 0 && n + unknown >= 40) }" err'
	build_program sleeps || return
	GMON=verbose,rate=250 run_program sleeps
	expect_in "system calls are not interrupted by samples of other threads" sleeps \
		'[ "$(cat status)" = 0 ] && [ ! -s out ]'
}

test_plugins() {
	build_program plugins || return
	for padding in 1 100000; do
		gcc -O1 -pg -fPIC -shared -DPADDING=$padding "$programs/plugin.c" \
			-o "$scratch/plugins/$padding.so"
	done
	run_program plugins ./1.so ./100000.so
	check_counts "libraries built with -pg are loaded and unloaded" plugins
	what='plugins, preloaded'
	must_build plugins gcc -O1 -pg "$programs/plugins.c" -ldl || return
	LD_PRELOAD=$builddir/libgmon.so run_program plugins ./1.so ./100000.so
	check_counts "libraries built with -pg are loaded and unloaded, preloaded libgmon" plugins
	what='plugin, linked'
	must_build plugins gcc -O1 -pg -DOUTSIDE='"_start"' "$programs/plugins.c" "$scratch/plugins/1.so" "$archive" -ldl ||
		return
	run_program plugins "$scratch/plugins/1.so"
	check_counts "a library built with -pg is linked in" plugins
	what='plugin alone'
	must_build plugins gcc -O1 "$programs/plugins.c" -ldl || return
	run_program plugins ./1.so
	expect_in "only the library is built with -pg: nothing happens" plugins '[ "$(cat status)" = 0 ] && no_profile'
}

# Objects may begin before the C library, as those of valgrind do (-z initfirst): gcrt1.o's call then comes when
# there is no environment.
test_early() {
	build_program ends -rdynamic || return
	what='object that begins first'
	gcc -shared -fPIC -nodefaultlibs -Wl,-z,initfirst -x c /dev/null -o "$scratch/ends/early.so" || return
	LD_PRELOAD=$scratch/ends/early.so GMON=verbose,file=named run_program ends return
	wanted_status=3 check_counts "an object begins before the C library: GMON is heeded" ends named
}

make_scratch
what=
unset PMI_RANK
test_ends
test_early
test_processes
test_control
test_clocks
test_plugins
tap_done
