#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# What the profile cannot be written to, what the kernel refuses, and programs with privileges: the program runs
# on with its own exit status, there is one line on stderr, and what stood under the profile's name stays.
# shellcheck disable=SC2016,SC2034,SC2086,SC2317 # conditions are evaluated later; words
. "${srcdir:-$(dirname "$0")/../..}/tests/runtime/lib.sh"
let_nobody_in "$@"

# complaint TEXT: the run in this directory ended with status 3, and with one line on stderr, which has TEXT.
complaint() {
	[ "$(cat status)" = 3 ] && [ "$(wc -l <err)" -eq 1 ] && grep -q "^libgmon: .*$1" err
}

# A file of the user's own under the profile's name.
old='an old profile'
old_is_there() {
	[ "$(cat "${1:-gmon.out}")" = "$old" ] && [ "$(count_files gmon.out.*)" = 0 ]
}

# run_here [WORD]...: runs ends/a.out, with these words in front, and leaves gmon.out alone.
run_here() (
	cd "$scratch/ends" || exit 99
	run "$@" ./a.out return
)

test_targets() {
	echo "$old" >victim
	ln -s victim gmon.out
	run_here
	expect_in "a symbolic link is not followed" ends \
		'complaint "gmon.out: Is a symbolic link" && old_is_there victim && [ -L gmon.out ]'
	rm -f gmon.out victim
	ln -s nowhere gmon.out
	run_here
	expect_in "a symbolic link to nothing is not followed" ends \
		'complaint "gmon.out: Is a symbolic link" && [ ! -e nowhere ]'
	rm gmon.out
	mkdir gmon.out
	run_here
	expect_in "a directory" ends 'complaint "gmon.out: Is a directory" && rmdir gmon.out'
	mkfifo gmon.out
	run_here
	expect_in "a pipe" ends 'complaint "gmon.out: Not a regular file" && [ -p gmon.out ]'
	rm -f gmon.out
	GMON=file=missing/gmon.out run_here
	expect_in "a directory that is missing" ends 'complaint "missing/gmon.out: No such file or directory"'
	GMON_OUT_PREFIX=missing/x run_here
	expect_in "GMON_OUT_PREFIX that cannot be written: gmon.out instead" ends \
		'complaint "missing/x.*: No such file or directory" && [ -s gmon.out ]'
	rm -f gmon.out
}

test_permissions() {
	nobody_reaches "targets without permission" || return
	chmod 755 "$scratch" && chmod 777 . out err status
	echo "$old" >gmon.out
	chmod 444 gmon.out
	[ "$(id -u)" != 0 ] || chown 65534 gmon.out
	run_here $as_nobody
	expect_in "a file without permission" ends 'complaint "gmon.out: Permission denied" && old_is_there'
	chmod 644 gmon.out
	chmod 555 .
	run_here $as_nobody
	expect_in "a file with permission in a directory without" ends \
		'[ "$(cat status)" = 3 ] && [ ! -s err ] && reads_count gmon.out leaf 1000'
	chmod 755 .
	rm -f gmon.out
	chmod 555 .
	run_here $as_nobody
	expect_in "a directory without permission" ends 'complaint "gmon.out: Permission denied" && no_profile'
	chmod 755 .
}

# A program with more rights than its caller.
test_secure() {
	what="a program with the rights of its file writes nothing and says nothing"
	nobody_reaches "$what" || return
	chmod 755 "$scratch"
	chmod 777 .
	chmod 4755 a.out
	GMON=verbose run_here $as_nobody
	chmod 755 a.out
	expect_in "$what" ends '[ "$(cat status)" = 3 ] && [ ! -s err ] && no_profile'
	GMON=verbose run_here $as_nobody
	expect_in "the same program without these rights writes" ends '[ -s gmon.out ] && [ -s err ]'
	chmod 755 .
	rm -f gmon.out
}

test_room() {
	echo "$old" >gmon.out
	run_here sh -c 'ulimit -f 1 && exec "$@"' sh
	expect_in "a limit on file sizes: no SIGXFSZ" ends 'complaint "gmon.out: File too large" && old_is_there'
	rm -f gmon.out
	what="a full disk"
	mkdir -p full
	run_here $as_root unshare -m sh -c 'mount -t tmpfs -o size=64k none full && cd full || exit 77
		echo "$2" >gmon.out; cat /dev/zero >filler 2>/dev/null
		../a.out return; status=$?; cp gmon.out ../kept; ls >../listing; exit $status' \
		sh ignored "$old"
	if [ "$(cat status)" = 3 ]; then
		expect_in "$what" ends 'complaint "gmon.out: No space left on device" && old_is_there kept &&
			[ "$(cat listing | tr "\n" " ")" = "filler gmon.out " ]'
	else
		tap_skip "$what" "no small file system can be mounted"
	fi
}

test_system_calls() {
	gcc -O1 "$programs/refuse.c" -o "$scratch/refuse" 2>/dev/null || return
	what='refused system calls'
	must_build static gcc -O1 -pg -static -pthread -I"$srcdir/include" "$programs/ends.c" "$archive" || return
	cd "$scratch/static" || exit 99
	"$scratch/refuse" -- ./a.out return >/dev/null 2>&1
	if [ $? != 3 ]; then
		tap_skip "$what" "no system call filters"
		return
	fi
	for calls in mmap 'mmap timer_create setitimer' timer_create 'timer_create setitimer' renameat2 statx \
		'statx newfstatat' getcwd rt_sigaction tgkill; do
		rm -f gmon.out*
		GMON='' run "$scratch/refuse" $calls -- ./a.out return
		case $calls in
		mmap*) condition='complaint "1002 calls not counted: no memory"' ;;
		'timer_create setitimer') condition='complaint "threads lack timers of their own, and are not sampled"' ;;
		timer_create) condition='complaint "threads lack timers of their own, and share ITIMER_PROF"' ;;
		rt_sigaction)
			condition='[ "$(cat status)" = 3 ] && complaint "no handler for the signal of samples can be installed: \
the profile will hold counts only"'
			;;
		*) condition='[ "$(cat status)" = 3 ] && [ ! -s err ]' ;;
		esac
		case $calls in
		mmap*) ;;
		*) condition="$condition && reads_count gmon.out leaf 1000" ;;
		esac
		expect_in "refused: $calls" static "$condition"
	done
}

# Of own(), a look may count ahead; see sampled_whole. Where a busy machine lets no sample be taken for longer than three ticks,
# these belong to no function. By two timers there would be twice as many.
test_timers() {
	must_build no-timers gcc -O1 -pg -pthread "$programs/no-timers.c" "$archive" || return
	for GMON in '' signal=RTMIN+3; do
		run_program no-timers
		expect_in "no timers for threads: they share one, and one line says so, GMON=$GMON" no-timers '
			[ "$(cat status)" = 0 ] && [ "$(wc -l <err)" = 1 ] &&
			grep -q "^libgmon: threads lack timers of their own, and share ITIMER_PROF: Resource temporarily" err &&
			"$GPROF" -b -p a.out | awk -v tick="$(kernel_tick)" "
				/^OWN/ { due = \$2 }
				/ own$/ { own = \$3 }
				/ one$/ { one = \$3 }
				/ other$/ { other = \$3 }
				END {
					print \"#\", own, due, one, other
					exit !(due > 0.1 && own > due / 2 && own <= due + 5 * tick + 0.01 &&
						one > 0.04 && other > 0.04 && one + other < 1)
				}" out -'
	done
	GMON='' run_program no-timers used
	expect_in "... not if the program uses that: it is left alone, and one line says that" no-timers '
		[ "$(cat status)" = 0 ] && [ "$(wc -l <err)" = 1 ] &&
		grep -q "^libgmon: threads lack timers of their own, and are not sampled: Resource temporarily" err &&
		"$GPROF" -b -p a.out | awk -v tick="$(kernel_tick)" "
			/^OWN/ { due = \$2 }
			/ own\$/ { own = \$3 }
			END { print \"#\", own, due; exit !(due > 0.1 && own > due / 2 && own <= due + 5 * tick + 0.01) }" out -'
	GMON=''
}

# A filter that the program puts on itself when it has started, which kills.
test_sandbox() {
	what='a filter of system calls that kills'
	must_build sandbox gcc -O1 -pg -pthread "$programs/sandbox.c" "$archive" || return
	GMON='' run_program sandbox
	if [ "$(cat "$scratch/sandbox/status")" = 77 ]; then
		tap_skip "$what" "no system call filters"
		return
	fi
	for GMON in '' crash term,dump=USR1 clock=profil libs stacks event=page-faults,clock=task; do
		run_program sandbox
		expect_in "$what: the program's own status, and every call, GMON=$GMON" sandbox \
			'[ "$(cat status)" = 3 ] && reads_count gmon.out leaf 41000 && reads_count gmon.out f142 41'
		case $GMON in clock=profil) continue ;; esac
		expect_in "$what: threads that are not sampled are told, GMON=$GMON" sandbox \
			'grep -q "^libgmon: 40 threads are not sampled: they began under a filter" err'
	done
	GMON=''
	(cd "$scratch/sandbox" && rm -f gmon.out* && printf 'gmonext\n' >gmon.out.ext && run ./a.out)
	expect_in "$what: call stacks of an earlier run stay" sandbox '[ "$(cat status)" = 3 ] && reads_count gmon.out leaf 41000'
	for GMON in '' crash; do
		run_program sandbox fork
		expect_in "$what: a fork behind it, GMON=$GMON" sandbox \
			'[ "$(cat status)" = 3 ] && reads_count gmon.out leaf 1000 && reads_count gmon.out.[0-9]* leaf 1000'
	done
	GMON=''
}

# What does not let a file be replaced, but lets it be written.
test_kept_files() {
	what="a file on which another is mounted is written in place"
	run_here $as_root unshare -m sh -c 'echo old >old && echo >gmon.out && mount --bind old gmon.out || exit 77
		./a.out return; status=$?; cp old kept; exit $status'
	if [ "$(cat status)" = 3 ]; then
		expect_in "$what" ends '[ ! -s err ] && reads_count kept leaf 1000 && [ "$(count_files gmon.out*)" = 1 ]'
	else
		tap_skip "$what" "nothing can be mounted"
	fi
	rm -f gmon.out kept old
}

test_sticky() {
	what="another user's file in a sticky directory is written in place"
	nobody_reaches "$what" || return
	chmod 755 "$scratch"
	mkdir sticky && chmod 1777 sticky && echo >sticky/gmon.out && chmod 666 sticky/gmon.out && chown 1 sticky sticky/gmon.out
	GMON=file=sticky/gmon.out run_here $as_nobody
	expect_in "$what" ends '[ "$(cat status)" = 3 ] && [ ! -s err ] && reads_count sticky/gmon.out leaf 1000 &&
		[ "$(count_files sticky/*)" = 1 ]'
	rm -rf sticky
}

# Counts that lie in a file.
test_live() {
	# Room for the profile, in blocks of 512 bytes, and for little more.
	GMON='' run_here
	room=$(($(wc -c <gmon.out) / 512 + 4))
	rm -f gmon.out
	GMON=crash run_here sh -c "ulimit -f $room && exec \"\$@\"" sh
	expect_in "GMON=crash, a limit on file sizes: the profile is written" ends \
		'[ "$(cat status)" = 3 ] && reads_count gmon.out leaf 1000 && [ "$(count_files gmon.out*)" = 1 ]'
	GMON=crash run_here sh -c 'ulimit -f 1 && exec "$@"' sh
	expect_in "GMON=crash, a limit below all: no SIGXFSZ, and it is said" ends \
		'[ "$(cat status)" = 3 ] && grep -q "^libgmon: GMON=crash: cannot make gmon.out.live: File too large" err'
	rm -f gmon.out
	mkdir gmon.out
	GMON=crash run_here
	expect_in "GMON=crash, the profile cannot be written: the counts stay" ends \
		'[ "$(cat status)" = 3 ] && grep -q "^libgmon: GMON=crash: the counts stay in gmon.out.live" err &&
		reads_count gmon.out.live leaf 1000'
	rm -rf gmon.out*
}

test_memory() {
	what='no memory'
	must_build memory gcc -O1 -pg -pthread "$programs/no-memory.c" "$archive" || return
	GMON='' run_program memory
	expect_in "no memory for larger tables: what is not counted is said" memory '
		[ "$(cat status)" = 0 ] && [ "$(wc -l <err)" -eq 1 ] &&
		"$GPROF" -b -p a.out gmon.out | awk -v truth="$(sed "s/ calls//" out)" \
			-v declined="$(sed -n "s/^libgmon: \([0-9]*\) calls not counted: no memory$/\1/p" err)" \
			"NF == 7 { sum += \$4 } END { exit sum == 0 || declined == 0 || sum + declined != truth }"'
}

make_scratch
GMON=''
what=program
if must_build ends gcc -O1 -pg -pthread -I"$srcdir/include" "$programs/ends.c" "$archive"; then
	cd "$scratch/ends" || exit 99
	only_part
	test_targets
	test_room
	test_permissions
	by_root test_secure 'a program with the rights of its file'
	test_kept_files
	by_root test_sticky "another user's file in a sticky directory"
	test_live
fi
test_system_calls
test_timers
test_sandbox
test_memory
tap_done
