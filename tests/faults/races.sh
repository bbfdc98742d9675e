#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Two at once: programs that write the same gmon.out, gprof -s on the same gmon.sum: whoever is last wins, and the
# file is whole at any time. And files that change while gprof reads them: a report or a message, never a signal.
# shellcheck disable=SC2016,SC2034,SC2086,SC2317 # conditions are evaluated later; words
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/faults/lib.sh"

archive=$builddir/libgmon.a

# together COUNT COMMAND...: that many at once, again and again; meanwhile `looks` must hold.
together() {
	count=$1
	shift
	: >bad
	for round in 1 2 3 4 5 6 7 8 9 10; do
		for i in $(seq "$count"); do
			"$@" >/dev/null 2>>complaints &
		done
		for i in 1 2 3 4; do
			looks || echo "round $round" >>bad
		done
		wait
		looks || echo "after round $round" >>bad
	done
	[ ! -s bad ]
}

check_sums() {
	can_interfere 'two gprof -s at once' || return
	for profile in gmon.out gmon.2; do
		"$GPROF" -s a.out $profile && cp gmon.sum sum.$profile
	done
	# One is about to rename its file when another begins and ends.
	"$TOOLS/interfere" rename 1 "'$GPROF' -s a.out gmon.2; cmp gmon.sum sum.gmon.2 && touch seen" \
		"$GPROF" -s a.out gmon.out 2>"$scratch/err"
	echo $? >"$scratch/status"
	if [ "$(cat "$scratch/status")" = 77 ]; then
		tap_skip 'two gprof -s in turn' 'no system call filters'
	else
		expect 'two gprof -s at once: the last one wins, the file is whole' \
			'ended_well && [ -e seen ] && cmp gmon.sum sum.gmon.out && none_left'
	fi
	looks() { cat gmon.sum >now && { cmp -s now sum.gmon.out || cmp -s now sum.gmon.2; }; }
	writes() { "$GPROF" -s a.out gmon.out && "$GPROF" -s a.out gmon.2; }
	: >complaints
	together 3 writes
	tap_check $? 'gprof -s many times at once: one whole file or another'
	# Adding to a sum in two processes may lose one of them, as it reads before it writes.
	adds() { "$GPROF" -s a.out gmon.sum gmon.2; }
	looks() { "$GPROF" -b -p a.out gmon.sum >/dev/null 2>>complaints; }
	together 3 adds
	tap_check $? 'gmon.sum is added to by several: it can always be read'
	! grep -qv 'gprof: note: ' complaints && none_left
	tap_check $? 'none of them had anything to say, or left a file'
	tap_note <complaints
}

# make_caller NAME CALLS: a profiled program.
make_caller() {
	printf '__attribute__((noinline)) void leaf(void) { __asm__ volatile(""); }
		int main(void) { for (int i = 0; i < %d; i++) leaf(); return 0; }' "$2" >"$1.c"
	"$CC" -O1 -pg "$1.c" "$archive" -lpthread -o "$1" 2>/dev/null
}

# All calls of one program or of the other.
calls_are_whole() {
	"$GPROF" -b -p one gmon.out 2>>complaints |
		awk '$NF == "leaf" && ($4 == 1000 || $4 == 2000) { ok = 1 } END { exit !ok }'
}

check_programs() {
	mkdir programs && cd programs || exit 99
	: >complaints
	if ! [ -f "$archive" ] || ! make_caller one 1000 || ! make_caller two 2000; then
		tap_skip 'two programs' 'none can be built with libgmon'
		cd .. && return
	fi
	./one && looks() { calls_are_whole; } && both() { ./one & ./two; wait; }
	together 2 both
	tap_check $? 'programs that write one gmon.out at once: it is whole at any time'
	! grep -qv 'gprof: note: ' complaints && [ -z "$(find . -name 'gmon.out?*')" ]
	tap_check $? 'none of them had anything to say, or left a file'
	tap_note <complaints
	# With the same process number, as in two containers, or on two hosts: the first is about to rename its
	# file.
	what='two programs of the same process number'
	$as_root unshare -p -f true 2>/dev/null && $as_root "$TOOLS/interfere" renameat2 1 \
		'unshare -p -f ./two; cp gmon.out twos; ls >listing' unshare -p -f ./one 2>"$scratch/err"
	echo $? >"$scratch/status"
	if [ -e twos ]; then
		expect "$what" 'ended_well && calls_are_whole && [ "$(grep -c "^gmon.out" listing)" = 2 ] &&
			[ -z "$(find . -name "gmon.out?*")" ]'
		mv twos gmon.out
		expect "$what: both files are whole" calls_are_whole
	else
		tap_skip "$what" 'no process numbers of their own, or no system call filters'
	fi
	cd .. || exit 99
}

# What a run begins with.
restore() {
	cp good.out a.out && cp good.gmon gmon.out
}

# disturbed WHAT ACTION OPTION...: ACTION before each system call by which gprof reads or opens.
disturbed() {
	what=$1
	action=$2
	shift 2
	points=0
	: >bad
	for call in read pread64 openat; do
		n=0
		while [ $n -lt 200 ]; do
			n=$((n + 1))
			restore || exit 99
			timeout 60 "$TOOLS/interfere" $call $n "$action" "$GPROF" "$@" >"$scratch/out" 2>"$scratch/err" </dev/null
			status=$?
			[ $status != 77 ] || break
			grep -v '^interfere: only' "$scratch/err" >said
			{ [ $status = 0 ] && ! grep -v -e warning -e 'gprof: note: ' said; } || { [ $status = 1 ] && [ "$(wc -l <said)" = 1 ]; } ||
				echo "$call $n: status $status, $(cat said)" >>bad
			if grep -q '^interfere: only' "$scratch/err"; then break; fi
			points=$((points + 1))
		done
	done
	if [ $status = 77 ]; then
		tap_skip "$what" 'no system call filters'
		return
	fi
	[ ! -s bad ] && [ $points -gt 10 ]
	tap_check $? "$what while gprof reads ($*): $points points"
	tap_note <bad
}

check_changes() {
	can_interfere 'files that change' || return
	mkdir changes && cd changes || exit 99
	printf 'int leaf(int i) { volatile int s = 0; for (int j = 0; j < i; j++) s += j; return s; }
		int main(void) { return leaf(30000000) == 1; }' >program.c
	if ! "$CC" -g -O1 -pg program.c -o a.out 2>/dev/null || ! ./a.out || ! [ -s gmon.out ]; then
		tap_skip 'files that change' 'no profiled program can be built'
		return
	fi
	cp a.out good.out && cp gmon.out good.gmon
	# Larger than what is read at once.
	for i in $(seq 12); do cat gmon.out gmon.out gmon.out gmon.out; done | head -c 65536 >added
	for options in -b '-b -l -p -q' '-A -c' -s; do
		disturbed 'a profile is truncated' 'truncate -s 100 gmon.out' $options
		disturbed 'a profile is emptied' ': >gmon.out' $options
		disturbed 'a profile grows' 'cat added >>gmon.out' $options
		disturbed 'the program is truncated' 'truncate -s 3000 a.out' $options
		disturbed 'the program is emptied' ': >a.out' $options
	done
	disturbed 'both are removed' 'rm -f gmon.out a.out program.c' -A -l
	disturbed 'the source is truncated' 'true >program.c' -A -l
	cd .. || exit 99
}

# A FIFO that nobody writes to would be waited for.
check_fifos() {
	can_interfere 'files that become FIFOs' || return
	mkdir fifos && cd fifos || exit 99
	restore() {
		rm -rf data program.dwo && mkdir data && cp good.gmon data/gmon.out.1 && cp good.dwo program.dwo
	}
	printf 'int leaf(int i) { volatile int s = 0; for (int j = 0; j < i; j++) s += j; return s; }
		int main(void) { return leaf(30000000) == 1; }' >program.c
	if ! "$CC" -g -gsplit-dwarf -O1 -pg -c program.c -o program.o 2>/dev/null || ! "$CC" -pg program.o -o a.out ||
		! ./a.out || ! [ -s program.dwo ]; then
		tap_skip 'files that become FIFOs' 'no profiled program with split debug information can be built'
		cd .. || exit 99
		return
	fi
	cp gmon.out good.gmon && cp program.dwo good.dwo
	disturbed 'a data file of a directory becomes a FIFO' 'rm -f data/gmon.out.1; mkfifo data/gmon.out.1' -b a.out data
	if [ -n "$(sed -n "s/^WRAP_TRUE = //p" "$builddir/Makefile")" ] || ldd "$GPROF" | grep -q 'libdw\.so'; then
		tap_skip 'a split unit becomes a FIFO' 'libdw, which opens them itself, is shared here, as on Debian 13, whose libdw.a is not whole'
	else
		disturbed 'a split unit becomes a FIFO' 'rm -f program.dwo; mkfifo program.dwo' -b -l
	fi
	cd .. || exit 99
}

enter_work
make_two_profiles
check_sums
check_programs
check_changes
check_fifos
tap_done
