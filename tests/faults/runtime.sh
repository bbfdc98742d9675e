#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# System calls of libgmon fail in turn, alone and with all behind them: the program goes on and ends with its own
# status; either its profile is complete or a line on stderr says what is missing, and what stands under the
# profile's name is the old one or one that can be read. And programs with more rights than their caller: no file, no word,
# whatever the environment says.
# shellcheck disable=SC2016,SC2034,SC2086,SC2317 # conditions are evaluated later; words
. "${srcdir:-$(dirname "$0")/../..}/tests/runtime/lib.sh"
let_nobody_in "$@"

old='an old profile'

# fail_once CALL N ERROR DIR: one run, with CALL N failing.
fail_once() (
	cd "$scratch/$4" || exit 99
	rm -f gmon.out*
	echo "$old" >gmon.out
	run "$TOOLS/interfere" "$1" "$2" "$3" ./a.out $arguments
	grep -v '^interfere: only' err >said
)

# What has to hold after a run in this directory, as far as it does not.
violations() {
	[ "$(cat status)" = "$wanted_status" ] || echo "status $(cat status)"
	if [ "$(cat gmon.out)" = "$old" ]; then
		[ -s said ] || [ "$call$onward" = write+ ] || echo 'no profile, and no word of it'
	elif ! "$GPROF" -b -p a.out gmon.out >flat 2>complaints && ! grep -q 'missing call-graph data\|no calls' complaints; then
		echo "gmon.out cannot be read: $(cat complaints)"
	elif ! awk -v name="$function" -v n="$calls" '$NF == name && $4 == n { ok = 1 } END { exit !ok }' flat; then
		[ -s said ] || echo 'calls are missing, and no word of it'
	fi
	[ ! -e gmon.out.ext ] || [ "$call" = unlinkat ] || "$TOOLS/stackdump" gmon.out | grep -q '^stamp right$' ||
		echo 'the stacks are of another profile, or not sound'
	grep -qv '^libgmon: ' said && echo "other lines on stderr: $(cat said)"
	[ "$(count_files gmon.out*.tmp)" = 0 ] || [ "$call" = unlinkat ] || echo 'a file is left'
}

# check_failing CALL ERROR DIR: at each place.
check_failing() {
	call=$1
	for onward in '' +; do
		n=0
		: >"$scratch/wrong"
		while [ $n -lt 200 ]; do
			n=$((n + 1))
			fail_once "$1" $n$onward "$2" "$3"
			status=$(cat "$scratch/$3/status")
			[ "$status" != 77 ] || return 77
			grep -q '^interfere: only' "$scratch/$3/err" && break
			(cd "$scratch/$3" && violations) | sed "s/^/$1 $n$onward: /" >>"$scratch/wrong"
		done
		what="$3, GMON=${GMON:-}: $1 fails with $2${onward:+, and all behind it}: $((n - 1)) points"
		if [ -s "$scratch/wrong" ]; then
			tap_not_ok "$what"
			tap_note <"$scratch/wrong"
		else
			tap_ok "$what"
		fi
	done
}

test_faults() {
	dir=$1
	for GMON in '' crash libs,stacks,crash,term,dump=USR1; do
		for fault in 'mmap ENOMEM' 'write ENOSPC' 'openat EACCES' 'renameat2 EPERM' 'close EIO' \
			'fallocate ENOSPC' 'statx EPERM' 'unlinkat EPERM' 'fsync EIO' 'pwrite64 EIO'; do
			# shellcheck disable=SC2086 # words
			check_failing $fault "$dir"
			if [ $? = 77 ]; then
				tap_skip "system calls that fail" "no system call filters"
				return
			fi
		done
	done
}

# The new file is on the disk before it has the old one's name.
test_sync() {
	what='the profile is synced before it is renamed'
	if ! command -v strace >/dev/null; then
		tap_skip "$what" "no strace: install Debian package strace"
		return
	fi
	(cd "$scratch/ends" && rm -f gmon.out* && run strace -o calls ./a.out return)
	expect_in "$what" ends 'awk "
		/^fsync\(/ { synced++ }
		/^rename/ { named++; wrong += synced < named }
		END { exit !named || wrong }" calls'
}

# What is said of a file is no command to a terminal.
test_messages() {
	evil=$(printf 'missing/a\033]0;x\007b\302\233c')
	GMON=file=$evil run_program ends return
	expect_in 'control characters in a message' ends \
		'[ "$(cat status)" = 3 ] && grep -q "^libgmon: cannot write missing/a?]0;x?b" err &&
		! tr -d "\n" <err | grep -q "[[:cntrl:]]" && ! tr -d "\n\302?" <err | tr "\200-\237" "\001" | grep -q "[[:cntrl:]]"'
}

# run_plainly WORD...: with these words in front, as somebody who is not the program's owner; what it leaves is in $scratch.
run_plainly() (
	cd "$scratch/secure" || exit 99
	run_results=..
	run "$@" $as_nobody ./a.out return
	ls >../listing
)

untouched() {
	[ "$(cat ../status)" = 3 ] && [ ! -s ../err ] && [ "$(cat ../listing)" = a.out ]
}

# no_word MODE LINKED: whatever is set.
no_word() {
	for setting in GMON=verbose GMON=crash GMON=libs,verbose GMON=file=stolen GMON=dir=start,file=stolen \
		GMON=rate=1000,verbose GMON=clock=profil,verbose GMON=signal=USR2,verbose GMON=dump=USR1,verbose \
		GMON=term,verbose GMON=off,verbose GMON=nonsense GMON_OUT_PREFIX=stolen GMON_OUT_PREFIX=/tmp/stolen \
		PMI_RANK=1 ${preload:+"$preload"}; do
		run_plainly env "$setting"
		expect_in "$2, mode $1: $setting" secure untouched
	done
	run_plainly env GMON=crash,libs,verbose,term,dump=USR1,file=stolen,dir=start GMON_OUT_PREFIX=stolen PMI_RANK=7
	expect_in "$2, mode $1: all at once" secure untouched
	(
		cd "$scratch/secure" || exit 99
		rm -f ../out
		GMON=dump=USR1,term $as_nobody ./a.out pause >../out 2>../err &
		tries=0
		until grep -qs "^ARC work" ../out || [ $tries -eq 1000 ]; do
			sleep 0.01
			tries=$((tries + 1))
		done
		kill -USR1 $!
		wait $!
		echo $? >../status
		ls >../listing
	) 2>/dev/null
	expect_in "$2, mode $1: a signal of GMON=dump is a signal as ever" secure \
		'grep -q "^ARC work leaf" ../out && [ "$(cat ../status)" = 138 ] && [ ! -s ../err ] && [ "$(cat ../listing)" = a.out ]'
}

test_secure() {
	nobody_reaches 'set-user-ID programs' || return
	chmod 755 "$scratch"
	for linked in archive shared; do
		[ $linked = archive ] || [ -z "$INSTRUMENTED" ] || continue # a sanitizer wants to be loaded first
		rm -rf "$scratch/secure"
		case $linked in
		archive) set -- "$archive" ;;
		shared) set -- "-Wl,-rpath,$builddir" "$builddir/libgmon.so" ;;
		esac
		must_build secure gcc -O1 -pg -pthread -I"$srcdir/include" "$programs/ends.c" "$@" || continue
		rm -f "$scratch/secure/log"
		chmod 777 "$scratch/secure"
		run_plainly env GMON=verbose
		expect_in "$linked, no such mode: it is recorded" secure \
			'[ "$(cat ../status)" = 3 ] && grep -q "^libgmon: " ../err && grep -qx gmon.out ../listing'
		rm -f "$scratch/secure/gmon.out"
		for mode in 4755 2755; do
			chmod $mode "$scratch/secure/a.out"
			no_word $mode $linked
		done
	done
}

make_scratch
preload=LD_PRELOAD=$builddir/libgmon.so
[ -z "$INSTRUMENTED" ] || preload=
[ -z "$tap_only" ] || unset GMON
only_part
what=program
# What the program does, and what its profile has to say.
arguments=return wanted_status=3 function=leaf calls=1000
must_build ends gcc -O1 -pg -static -pthread -I"$srcdir/include" "$programs/ends.c" "$archive" && test_faults ends &&
	test_sync && test_messages
unset GMON
by_root test_secure 'set-user-ID programs'
tap_done
