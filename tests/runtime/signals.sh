#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Signals at any moment: a program is killed a hundred times. Each time its profile must be readable and have
# no fewer calls than the program had said that it had made.
. "${srcdir:-$(dirname "$0")/../..}/tests/runtime/lib.sh"

times=100

# start_endless THREADS SEED: in the background, where a shell has SIGINT and SIGQUIT ignored, and nohup
# SIGHUP; a pause of up to 30 ms. A signal that comes while the process is still the shell is lost in the shell's trap.
start_endless() {
	rm -f gmon.out*
	: >out
	env --default-signal=HUP,INT,QUIT,TERM,USR1 ./a.out "$1" >out 2>err </dev/null &
	pid=$!
	while read -r command <"/proc/$pid/comm" && [ "$command" != a.out ]; do :; done
	sleep "0.0$(awk -v seed="$2" 'BEGIN { srand(seed); printf "%02d", rand() * 30 }')"
}

# enough PROFILE: it is readable and has what the program had said by then (`said').
enough() {
	for gprof in "$GPROF" ${SYSTEM_GPROF:+"$SYSTEM_GPROF"}; do
		case $1:$gprof in *.live:"$SYSTEM_GPROF") continue ;; esac
		"$gprof" -b -p a.out "$1" >flat 2>complaints && ! grep -qv 'gprof: note: ' complaints &&
			awk -v least="$said" '$NF == "leaf" { n = $4 } END { exit n < least }' flat || return
	done
}

# killed SIGNAL STATUS PROFILE WHAT: as many times as it takes for half of $times profiles, on a busy machine more.
killed() {
	profiles=0
	run=1
	while [ $run -le $times ] || { [ $profiles -lt $((times / 2)) ] && [ $run -le $((20 * times)) ]; }; do
		start_endless $((1 + run % 2 * 3)) $run
		kill -"$1" $pid
		wait $pid 2>/dev/null
		status=$?
		said=$(tail -n 1 out)
		if [ $status -ne "$2" ] || { [ -n "$said" ] && ! enough "$3"; }; then
			tap_not_ok "$4: run $run of $times, status $status, $said calls"
			cat complaints err flat | tap_note
			return
		fi
		# Before its first word it may have been too early.
		[ -z "$said" ] || profiles=$((profiles + 1))
		run=$((run + 1))
	done
	if [ $profiles -ge $((times / 2)) ]; then
		tap_ok "$4: $((run - 1)) times, $profiles profiles"
	else
		tap_not_ok "$4: only $profiles profiles"
	fi
}

# take_dump: moves gmon.out to `dump' as soon as it is there. False if the program is gone, or after ten minutes.
take_dump() {
	tries=0
	until mv gmon.out dump 2>/dev/null; do
		kill -0 $pid 2>/dev/null && [ $tries -lt 60000 ] || return
		sleep 0.01
		tries=$((tries + 1))
	done
}

# Dumps of a running program: each is a whole profile of at least what was said before the signal. It may use more time than
# the others, as it goes on while the readers read, however long they take.
# shellcheck disable=SC3045 # every shell has it
dumped() {
	what="GMON=dump=USR1: 50 profiles of a busy program"
	ulimit -S -t unlimited
	start_endless 4 1
	ulimit -S -t 20
	until [ -s out ]; do sleep 0.01; done
	run=1
	while [ $run -le 50 ]; do
		said=$(tail -n 1 out)
		kill -USR1 $pid
		if ! take_dump || ! enough dump; then
			break
		fi
		run=$((run + 1))
	done
	kill -KILL $pid
	wait $pid 2>/dev/null
	if [ $run -gt 50 ]; then
		tap_ok "$what"
	else
		tap_not_ok "$what: number $run, $said calls"
		cat complaints err flat | tap_note
	fi
}

# A second signal while the first one's handler writes: another thread gets it.
again() {
	what="a second SIGTERM while the profile is being written: it is written"
	if ! strace -e inject=fsync:delay_enter=1000 true 2>/dev/null; then
		tap_skip "$what" "no strace that can delay: install Debian package strace"
		return
	fi
	must_build ends gcc -O1 -pg -pthread -I"$srcdir/include" "$programs/ends.c" "$archive" || return
	cd "$scratch/ends" || exit 99
	GMON=term strace -f -o calls -e trace=fsync -e inject=fsync:delay_enter=600000 \
		env --default-signal=TERM ./a.out wait >out 2>err &
	tracer=$!
	until grep -q ^process out; do sleep 0.01; done
	pid=$(sed -n 's/^process //p' out)
	kill -TERM "$pid"
	until grep -q fsync calls; do sleep 0.01; done
	kill -TERM "$pid"
	wait $tracer 2>/dev/null
	status=$?
	[ $status -eq 143 ] && reads_count gmon.out leaf 1000
	tap_check $? "$what"
	cd "$scratch/endless" || exit 99
}

env --default-signal=INT true 2>/dev/null || tap_skip_all 'env has no --default-signal (GNU coreutils 8.31)'
make_scratch
what=endless
must_build endless gcc -O1 -pg -pthread "$programs/endless.c" "$archive" || tap_done
cd "$scratch/endless" || exit 99
: >complaints
: >flat
# Of each process: nothing waits for ever.
# shellcheck disable=SC3045 # every shell has it
ulimit -S -t 20

GMON=term killed TERM 143 gmon.out "SIGTERM with GMON=term"
times=10
for signal in INT:130 HUP:129 QUIT:131; do
	GMON=term killed ${signal%:*} ${signal#*:} gmon.out "SIG${signal%:*} with GMON=term"
	rm -f core*
done
GMON=dump=USR1 dumped
again

times=100
GMON=crash killed KILL 137 gmon.out.live "SIGKILL with GMON=crash"
tap_done
