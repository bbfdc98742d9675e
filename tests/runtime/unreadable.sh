#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Call stacks of a program in which what stacks and call-frame information lead to is unmapped by another thread, or must not
# be read: it ends as it does without libgmon, and its profile is whole. With SLOW set (make check-slow) 20 times each.
. "${srcdir:-$(dirname "$0")/../..}/tests/runtime/lib.sh"

make_scratch
cd "$scratch" || exit 99
what=unreadable
# Without a constant of a file of its own there are no data beside the call-frame information.
"$CC" -O1 -shared -fPIC -DWHICH=0 -o plugin.so "$programs/turn.c" || exit 99
must_build alone "$CC" -D_GNU_SOURCE -O2 -pthread "$programs/unreadable.c" -ldl || tap_done
must_build linked "$CC" -D_GNU_SOURCE -O2 -pthread "$programs/unreadable.c" -Wl,--no-as-needed "$scratch/plugin.so" || tap_done
times=1
[ -z "$SLOW" ] || times=20

# check_run PROGRAM WHAT KEYS: with these keys of GMON.
check_run() {
	turn=0 wrong=
	while [ $turn -lt $times ] && [ -z "$wrong" ]; do
		turn=$((turn + 1))
		rm -f gmon.out*
		run env GMON="$3,run,verbose" LD_PRELOAD="$builddir/libgmon.so" "$1/a.out" "$2" 1 "$scratch/plugin.so"
		[ "$status" = 7 ] || wrong="status $status"
		"$GPROF" -b --inclusive "$1/a.out" >report 2>&1 || wrong="$wrong, no report"
	done
	[ -z "$wrong" ]
	tap_check $? "$2, GMON=$3: status 7, and a report${wrong:+: $wrong}"
	[ -z "$wrong" ] || head -n 20 err report | tap_note
}

for keys in stacks clock=wall,rate=1000; do
	check_run alone closes $keys
	check_run linked tables $keys
	check_run linked code $keys
	check_run linked low $keys
done
tap_done
