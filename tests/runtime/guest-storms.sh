#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Libraries that come and go, forks, execs, threads, locks, signals, and stack overflows on an alternate stack, in two threads at once:
# under gprof --run with stacks, with waiting and with events, a program's counts and its status are what they are alone.
# STORMS (`make check-storms': 20) is how often each storm is run, and of ten times as many rounds if it is set.
# shellcheck disable=SC2016 # conditions are evaluated later
. "${srcdir:-$(dirname "$0")/../..}/tests/runtime/lib.sh"

make_scratch
unset GMON
cd "$scratch" || exit 99
what='a program of storms'
must_build storms "$CC" -O1 -D_GNU_SOURCE -pthread "$programs/guest-storms.c" -ldl || tap_done
echo 'long storm_work(long n) { volatile long i = 0; while (i < n * 1000) i++; return n; }' >storm.c
"$CC" -O1 -shared -fPIC -o storm.so storm.c || exit 99
program=$scratch/storms/a.out
factor=1
[ -z "${STORMS-}" ] || factor=10
run_limit=120
evidence='status out err alone'

# take_storms NAME ROUNDS.
take_storms() {
	"$program" "$1" $(($2 * factor)) >alone
	for keys in stacks clock=wall event=page-faults; do
		bad=0
		for time in $(seq "${STORMS:-1}"); do
			rm -f report
			run "$GPROF" -b -p -o report "--run=$keys" "$program" "$1" $(($2 * factor))
			if [ "$status" != 3 ] || [ ! -s report ] || ! cmp -s alone out; then
				bad=$((bad + 1))
				echo "$time: status $status, $(cat out)" | tap_note
			fi
		done
		expect "$1, $keys: counts and status are as alone" '[ $bad = 0 ] && [ -s alone ]'
	done
}

take_storms libraries 1500
take_storms forks 150
take_storms execs 20
take_storms threads 2500
take_storms locks 100
take_storms signals 5000
take_storms overflows 2000
tap_done
