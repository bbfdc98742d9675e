#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Signals of a program that is recorded: it sets, sees and gets them as it does alone, and none of libgmon's reaches it.
# shellcheck disable=SC2016,SC2086,SC2317 # conditions of expect, commands for other shells; words; functions that expect calls
. "${srcdir:-$(dirname "$0")/../..}/tests/runtime/lib.sh"

make_scratch
unset GMON
cd "$scratch" || exit 99

# The default action of a signal of ours is death, so its handler stands before any clock or counter can send it.
test_order() {
	if ! strace -o order true 2>/dev/null; then
		tap_skip 'no clock is armed before its signal is handled' 'no strace: install Debian package strace'
		return
	fi
	for keys in event=page-faults,clock=profil event=page-faults clock=task clock=profil stacks,clock=wall; do
		for how in run run,children; do
			rm -f gmon.out*
			run strace -f -e trace=rt_sigaction,timer_settime,setitimer,ioctl -e signal=none -o order \
				env LD_PRELOAD="$builddir/libgmon.so" GMON=$keys,$how sh -c ': $(:); exit 5'
			expect "its handler stands before a clock is armed: GMON=$keys,$how" '[ "$status" = 5 ] &&
				awk "/rt_sigaction\(SIG(PROF|STKFLT), \{/ { handled = 1 }
					/(timer_settime|setitimer|PERF_EVENT_IOC_ENABLE)/ { armed = 1; if (!handled) { late = 1; print } }
					END { exit !armed || late }" order'
		done
	done
}

# What a program can see of its signals, with inherited ones as well.
test_view() {
	what='a program that says what it sees of its signals'
	must_build signals "$CC" -D_GNU_SOURCE -O1 -pthread "$programs/guest-signals.c" || return
	cd signals || exit 99
	for inherited in '' '--ignore-signal=PROF,TERM,USR2,16 --block-signal=URG,16'; do
		if [ -n "$inherited" ] && ! env $inherited true 2>/dev/null; then
			tap_skip 'inherited signals' 'env has no --ignore-signal (GNU coreutils 8.31)'
			continue
		fi
		# Alone as below libgmon, since timeout has SIGINT do what it does by default also where the caller ignores it.
		run env $inherited ./a.out
		mv out alone
		for keys in run run,children run,stacks,clock=wall run,stacks,event=page-faults run,clock=task \
			run,signal=PROF run,term,crash run,children,dump=USR1; do
			rm -f gmon.out*
			run env $inherited LD_PRELOAD="$builddir/libgmon.so" GMON=$keys,file=profile ./a.out
			expect "it sees them as it does alone${inherited:+, some inherited}: GMON=$keys" '[ "$status" = 3 ] && cmp alone out'
		done
	done
	cd ..
}

# Between fork() and exec() browsers reset the actions of all signals, without the C library.
test_children() {
	what='a program whose children reset all signals'
	must_build resets "$CC" -D_GNU_SOURCE -O1 "$programs/resets.c" || return
	cd resets || exit 99
	./a.out >alone
	for keys in run run,children run,children,stacks run,children,clock=task run,children,signal=PROF; do
		rm -f profile*
		run env LD_PRELOAD="$builddir/libgmon.so" GMON=$keys,file=profile ./a.out
		expect "children that reset the actions of signals themselves live on: GMON=$keys" '[ "$status" = 4 ] && cmp alone out'
	done
	cd ..
}

# own_ticks: at least a fifth of those that it is due, and no other signal; the kernel loses some on a busy machine.
own_ticks() {
	awk '$1 == "own" { split($0, part, "[ ,:]+"); ok = part[3] * 5 >= part[5] && part[5] > 10 && $NF == 0 } END { exit !ok }' err
}

our_ticks() {
	awk '/ ticks in the program/ { n = $4 + $10 } END { exit n < 20 }' err
}

# their_ticks: that the library of gperftools has counted.
their_ticks() {
	[ "$(sed -n 's/^PROFILE: interrupts.*= \([0-9]*\)\/.*/\1/p' err)" -ge 15 ]
}

# A profiler inside the program.
test_profilers() {
	what='a profiler in a library'
	must_build profiler "$CC" -O1 -shared -fPIC "$programs/own-profiler.c" || return
	must_build plain "$CC" -O2 -pthread "$programs/plain.c" || return
	for keys in stacks stacks,signal=PROF; do
		for libraries in "$builddir/libgmon.so $scratch/profiler/a.out" "$scratch/profiler/a.out $builddir/libgmon.so"; do
			# On a busy machine it takes longer until there are enough.
			for ms in 300 1200 4800; do
				run env LD_PRELOAD="$libraries" GMON=run,verbose,file=profile,$keys "$scratch/plain/a.out" $ms
				! own_ticks || ! our_ticks || break
			done
			expect "a profiler in the program gets its ticks, and we ours: GMON=$keys" '[ "$status" = 0 ] && own_ticks && our_ticks'
		done
	done
	rm -f profile profile.*
	gperftools=$(PATH=$PATH:/usr/sbin:/sbin ldconfig -p | sed -n 's/.*libprofiler\.so.* => //p' | head -n 1)
	if [ -z "$gperftools" ]; then
		tap_skip 'libprofiler of gperftools' 'no libprofiler: install Debian package libgoogle-perftools4'
		return
	fi
	for ms in 300 1200 4800; do
		run env LD_PRELOAD="$builddir/libgmon.so $gperftools" CPUPROFILE="$scratch/cpu" GMON=run,stacks,file=profile "$scratch/plain/a.out" $ms
		! their_ticks || break
	done
	expect 'libprofiler of gperftools gets its ticks' '[ "$status" = 0 ] && their_ticks'
}

# SIGCHLD that the caller ignores, though gprof waits for the program.
test_ignored() {
	run env --ignore-signal=CHLD sed -n 's/^SigIgn:.*/&/p' /proc/self/status
	mv out alone
	if [ "$status" != 0 ]; then
		tap_skip 'SIGCHLD that is ignored' 'env cannot ignore signals: install a newer Debian package coreutils'
		return
	fi
	run env --ignore-signal=CHLD "$GPROF" -b -o report --run sed -n 's/^SigIgn:.*/&/p' /proc/self/status
	expect 'SIGCHLD that the caller of gprof ignores is ignored in the program, and no other signal' '[ "$status" = 0 ] && cmp alone out'
	run env --ignore-signal=CHLD "$GPROF" -b -o report --run sh -c 'exit 7'
	expect 'whose status is known all the same' '[ "$status" = 7 ]'
}

test_order
test_view
test_ignored
test_children
test_profilers
tap_done
