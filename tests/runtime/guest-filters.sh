#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# gprof --run of programs that forbid themselves system calls on pain of death: they end as they do alone, and the time
# before the filter is in the profile.
# shellcheck disable=SC2016,SC2086,SC2317 # conditions of expect; words; functions that they call
. "${srcdir:-$(dirname "$0")/../..}/tests/runtime/lib.sh"

make_scratch
unset GMON
cd "$scratch" || exit 99
run_limit=30
what='a program with a filter of system calls'
must_build filters "$CC" -D_GNU_SOURCE -O1 -pthread "$programs/guest-filters.c" || tap_done
program=$scratch/filters/a.out
run "$program" prctl
[ "$status" != 77 ] || tap_skip_all 'no filters of system calls can be had'

# has_ticks LEAST: the profile has as many, all in the program's own functions.
has_ticks() {
	"$GPROF" -b --inclusive "$program" profile >report 2>&1 &&
		sed -n 's/^Each sample.*; \([0-9]*\) sample.*/\1/p' report | awk -v least="$1" '$1 >= least { ok = 1 } END { exit !ok }'
}

evidence='status err report'
for keys in stacks stacks,clock=wall stacks,clock=task stacks,event=page-faults; do
	for how in prctl seccomp strict 'prctl threads' 'seccomp threads' 'seccomp late'; do
		rm -f profile*
		run env LD_PRELOAD="$builddir/libgmon.so" GMON=run,file=profile,$keys "$program" $how
		expect "it ends as alone, and has a profile: $how, GMON=$keys" '[ "$status" = 7 ] && [ "$(cat out)" = done ] && has_ticks 5'
	done
done
rm -f profile*
run env LD_PRELOAD="$builddir/libgmon.so" GMON=run,file=profile,children,stacks sh -c '"$0" seccomp; echo $?' "$program"
expect 'a child with a filter' '[ "$status" = 0 ] && [ "$(tail -n 1 out)" = 7 ]'

# Filters that were there before the program.
for how in forbids refuses; do
	# Who could gain rights may not have one that refuses.
	words=
	[ $how = forbids ] || words=$as_root
	$words "$program" $how >alone 2>&1
	if [ $? != 7 ]; then
		tap_skip "a filter before the program: $how" 'only root can set it, and there are no name spaces'
		continue
	fi
	run $words "$GPROF" -b -o report --run=children "$program" $how
	expect "it is as alone below a filter that was there before: $how" '[ "$status" = 7 ] && cmp alone out && ! grep libgmon err'
	run env LD_PRELOAD="$builddir/libgmon.so" GMON=run,children,file=profile,stacks,event=page-faults $words "$program" $how
	expect "with counters of events as well: $how" '[ "$status" = 7 ] && [ "$(cat out)" = done ]'
done

# Time after the question is recorded, too: twice as much as before.
rm -f profile*
run env LD_PRELOAD="$builddir/libgmon.so" GMON=run,file=profile,stacks "$program" probe
expect 'to ask for filters ends no recording' '[ "$status" = 7 ] && has_ticks 22'
tap_done
