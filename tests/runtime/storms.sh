#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# GMON=stacks where unwinding in a handler is known to go wrong: exceptions, libraries that come and go, forks in threads,
# coroutines. Nothing crashes or hangs, no call is lost, and the stacks add up. With SLOW set (make check-slow) for a
# minute each.
# shellcheck disable=SC2016,SC2034,SC2317 # conditions are evaluated later
. "${srcdir:-$(dirname "$0")/../..}/tests/runtime/lib.sh"

make_scratch
what=storms
command -v g++ >/dev/null || tap_skip_all 'no g++: install Debian package g++'
must_build storms g++ -O1 -pg -pthread -I"$srcdir/include" "$programs/storms.cc" "$archive" -ldl || tap_done
cd "$scratch/storms" || exit 99
for which in 1 2; do
	"$CC" -O1 -shared -fPIC -DWHICH=$which -o $which.so "$programs/turn.c" || exit 99
done
mv 1.so a.so
mv 2.so b.so
seconds=1
[ -z "$SLOW" ] || seconds=60
export GMON

# adds_up STORM: the ticks of all stacks of the last run are those of the program, those outside and those that nobody saw.
# A sample that gmon_reset() interrupts may be half forgotten.
adds_up() {
	total=$("$TOOLS/stackdump" gmon.out | sed -n 's/^total //p')
	[ "$1" = dumps ] && [ -n "$total" ] && return
	[ "${total:-0}" -gt 0 ] && [ "$total" = "$(awk '/ ticks in the program/ { n += $4 + $10 }
		/ ticks more belong/ { n += $2 } END { print n }' err)" ]
}

for storm in throws plugins forks coroutines comings dumps; do
	for keys in '' crash clock=profil; do
		[ -n "$SLOW" ] || [ "$storm" = throws ] || [ -z "$keys" ] || [ "$storm$keys" = forkscrash ] || continue
		GMON=stacks,rate=1000,verbose${keys:+,$keys}
		rm -f gmon.out*
		run ./a.out $storm $seconds .
		if [ "$status" = 0 ] && adds_up $storm && { [ $storm = dumps ] ||
			reads_count gmon.out counted "$(sed -n 's/^CALLED //p' out)"; }; then
			tap_ok "$storm${keys:+, $keys}: no crash, no call lost, and stacks add up"
		else
			tap_not_ok "$storm${keys:+, $keys}: no crash, no call lost, and stacks add up"
			{
				echo "status $status"
				cat out err
				"$TOOLS/stackdump" gmon.out | head -n 20
				"$GPROF" -b -p a.out gmon.out | head -n 20
			} 2>&1 | tap_note
		fi
	done
done
tap_done
