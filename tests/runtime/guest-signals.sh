#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Signals of a program that is recorded: it sets, sees and gets them as it does alone, and none of libgmon's reaches it.
# shellcheck disable=SC2016 # conditions of expect, commands for other shells
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

test_order
tap_done
