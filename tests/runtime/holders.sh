#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# gprof --blame: who held others up, who waited for which lock, who woke whom, and deadlocks.
# shellcheck disable=SC2016,SC2034,SC2317 # conditions are evaluated later
. "${srcdir:-$(dirname "$0")/../..}/tests/runtime/lib.sh"

make_scratch
what=holders
must_build holders gcc -O2 -g -pg -pthread "$programs/holders.c" "$archive" || tap_done
cd "$scratch/holders" || exit 99

# take: runs the program; leaves the report blame.
take() {
	rm -f gmon.*
	GMON=clock=wall run ./a.out locks 1500
	"$GPROF" -b --blame a.out >blame 2>err
}

# as_measured WHO REPORT: of each function that waits, or has others wait (WHO is `waiter' or `holder'), as long as was measured
# in the program, within a tenth and two looks: one may come late.
as_measured() {
	awk -v who="$1" 'NR == FNR { if ($1 == "WAITED") is[$2] = $3; next }
		/^ *[0-9.]+ +[0-9.]+  [a-z[]/ { holder = $3 }
		/ for / || / to be woken at / { seen[who == "holder" ? holder : $3] += $2 }
		END {
			for (name in is) {
				off = seen[name] - is[name]
				print "# " name ": " seen[name] + 0 " s, measured " is[name]
				bad += (off < 0 ? -off : off) > 0.1 * is[name] + 0.05
				n++
			}
			exit bad > 0 || n != 2
		}' out "$2"
}

take
expect 'each waits as long as it has measured, in --blame' 'as_measured waiter blame'
expect 'a lock with a name has it, with the member of the structure' \
	'grep -q "^ *[0-9.]* *[0-9.]*      ask (holders.c:[0-9]*) for ledger+0x20$" blame'
expect 'and one without is told by who first waited for it' \
	'grep -q "^ *[0-9.]* *[0-9.]*      beg (holders.c:[0-9]*) for a lock first waited for in [a-z]* (holders.c:[0-9]*)$" blame'
expect 'below the functions that had them' '
	awk "/^ *[0-9.]+ +[0-9.]+  [a-z]/ { holder = \$3 }
		/ ask .* for ledger/ && holder == \"hoard\" { ask += \$2 } / beg .* for / && holder == \"hide\" { beg += \$2 }
		/ (ask|beg) .* for / { all += \$2 }
		END { print \"# \" ask, beg, all; exit !(ask > 0 && beg > 0 && ask + beg > 0.8 * all) }" blame'
expect 'as much as --clock=blame has' '
	"$GPROF" -b --inclusive --clock=blame a.out >kind 2>>err
	awk "NR == FNR { if (/^Threads waited/) all = \$3; next } /^Measured by the clock/ { kind = \$5 }
		END { print \"# \" all, kind; exit !(all > 0 && all < kind + 0.011 && all > kind - 0.011) }" blame kind'
expect 'and json, with the address of the lock without a name' '
	"$GPROF" --export=json -o - a.out >json 2>>err && hidden=$(awk "/^HIDDEN/ { print \$2 }" out) &&
	grep -q "\"waiter\":{\"function\":\"beg\",.*\"locks\":1,\"lock_address\":\"$hidden\"" json && grep -q "\"lock\":\"ledger+0x20\",\"waited" json'
expect '... and how long threads waited for what has no owner, as the page has' '
	grep -q "^\"waited_without_owner_ns\":[1-9][0-9]*,$" json && "$GPROF" --export=webpage -o - a.out >page 2>>err &&
	grep -q "^\"blame\":{.*\"rest\":[1-9]" page'
expect 'and sums of two runs have twice as much' '
	cp gmon.out one && cp gmon.out.ext one.ext && "$GPROF" -s a.out one gmon.out >summed 2>&1 && [ -f gmon.sum ] &&
	"$GPROF" -b --blame a.out gmon.sum >twice 2>>err &&
	awk "/^Threads waited/ { n[FILENAME] = \$3 } END { print \"# \" n[\"blame\"], n[\"twice\"]; d = n[\"twice\"] - 2 * n[\"blame\"]; exit !(n[\"blame\"] > 0 && d < 0.02 && d > -0.02) }" blame twice &&
	grep -q "for ledger+0x20" twice'

# refused OPTION NAME: --blame and an option are one line, and no report.
refused() {
	"$GPROF" -b --blame "$1" a.out gmon.out >none 2>err
	[ $? = 1 ] && [ ! -s none ] && [ "$(wc -l <err)" = 1 ] && grep -q -- "--blame and $2 cannot be combined: who waited" err
}
expect 'a part of it is not to be had' 'refused --from=0.5 --from && refused --to=0.5 --to && refused --thread-view=1 --thread-view'
expect '... nor in an export' '
	"$GPROF" --export=json -o - a.out gmon.out 2>>err >whole && "$GPROF" --export=json -o - --thread-view=a.out a.out gmon.out 2>>err >part &&
	grep -q "\"blame\": *\[" whole && [ -s part ] && ! grep -q "\"blame\": *\[" part'

# Deadlocks, of which the kernel ends the program by a signal: what the live file or --run has.
rm -f gmon.*
GMON=clock=wall,crash run ./a.out deadlock 1000
ls gmon.* >files 2>&1
"$GPROF" -b --blame a.out ./gmon.out.live >dead 2>err
expect 'a deadlock is said, though a signal has ended the program' '
	grep -q "^Deadlock: " dead &&
	grep -q "^  first (holders.c:[0-9]*) waits for right, which second (holders.c:[0-9]*) has$" dead &&
	grep -q "^  second (holders.c:[0-9]*) waits for left, which first (holders.c:[0-9]*) has$" dead'
"$GPROF" -b --blame -o alone --run=clock=wall ./a.out self 1000 >said 2>err
expect 'and one of a thread with itself, with --run' '
	grep -q "^  alone (holders.c:[0-9]*) waits for left, which alone (holders.c:[0-9]*) has$" alone'
expect 'no deadlock is seen where there is none' '! grep -q Deadlock blame'
rm -f gmon.*
GMON=clock=wall run ./a.out idle 100
"$GPROF" -b --blame a.out >none 2>err
expect 'where nobody waited for a lock, it says which kinds of locks it cannot tell' 'grep -q "^No thread was seen waiting for a lock that tells who has it" none'
rm -f gmon.*
GMON=stacks run ./a.out locks 100
"$GPROF" -b --blame a.out >none 2>err
expect 'without clock=wall, it says what to do' 'grep -q "was not recorded: that takes" err'

# Who wakes those who wait at conditions, semaphores and barriers is known where libgmon.so takes those calls over.
case $($CC -dumpmachine) in
x86_64*) ;;
*)
	tap_skip 'who wakes whom' 'those calls are taken over on x86-64 alone'
	tap_done
	;;
esac
what=wakers
must_build wakers gcc -O2 -g -pthread "$programs/wakers.c" || tap_done
must_build oldest gcc -O2 -g -pthread -DOLDEST "$programs/wakers.c" || tap_done
cd "$scratch/wakers" || exit 99

# wake PROGRAM MODE: runs it; leaves the report woken.
wake() {
	rm -f woken
	timeout 60 "$GPROF" -b --blame -o woken --run=clock=wall "$1" "$2" 1000 >out 2>err && grep -q "^WAITED" out && [ -s woken ]
}

# blames FUNCTION MODE WHAT [SHARE]: nine tenths, or SHARE, of what it has waited, but for two looks, belong to this
# function, and it was for WHAT. While the waker has no processor, as it has just woken the other one, that is its caller's.
blames() {
	wake ./a.out "$2" && awk -v by="$1" -v what="$3" -v share="${4:-0.9}" '
		NR == FNR { if ($1 == "WAITED") waited = $2; if ($1 == "RUNNABLE") runnable = $2; next }
		/^ *[0-9.]+ +[0-9.]+  [a-z]/ { holder = $3 }
		/ await_part \(wakers.c:[0-9]*\) to be woken at / && $NF == what { blamed[holder] += $2 }
		END {
			caller = blamed["run.part.0"] + blamed["run"]
			slow = blamed[by] + (caller < runnable ? caller : runnable)
			print "# " by " " blamed[by] + 0 " of " waited " s; its caller " caller ", which was runnable for " runnable
			exit !(slow >= share * waited - 0.02 && slow < 1.1 * waited + 0.05)
		}' out woken && return
	cat woken
	return 1
}
expect 'waiting for a condition is that of the function before the signal' 'blames slow_part condition queue+0x28'
expect '... for a semaphore, of the one before it is posted' 'blames slow_part semaphore filled'
expect '... for a condition that both signal, of the other one' 'blames slow_part both queue+0x28'
expect '... and for what is signalled once, of what was done until then' 'blames slow_part once queue+0x28'
expect '... which is what that one mostly did, if it took long' 'blames nap_part nap queue+0x28 0.75'
# A semaphore has no lock for which the one that is woken could wait.
expect 'which is beside the waiting for locks' '
	wake ./a.out semaphore && grep -q "^They waited [0-9.]* seconds at conditions, semaphores and barriers; whoever woke them is the$" woken &&
	grep -q "^holder, which is a guess while they wait: whoever woke such threads last.$" woken &&
	grep -q "^No thread was seen waiting for a lock" woken'
expect 'json and the page have it, too' '
	"$GPROF" --export=json -o json --run=clock=wall ./a.out semaphore 300 >out 2>err &&
	grep -q "\"waker\":{\"function\":\"slow_part\",.*\"woken\":true,\"waiter\":{\"function\":\"await_part\",.*\"lock\":\"filled\"" json &&
	"$GPROF" --export=webpage -o page --run=clock=wall ./a.out semaphore 300 >out 2>err && grep -q "^\"blame\":{.*\"woken\":[1-9]" page'

# Of three threads at a barrier one is late by slow_part(), in the next round another one by late_part(). A round takes long
# enough for looks that come late on a busy machine.
blames_the_late() {
	wake ./a.out barrier && as_measured holder woken && return
	cat woken
	return 1
}
expect 'waiting at a barrier is that of the one that comes last, each time' blames_the_late

# For a quarter of the time it was woken; then it waits until the program ends.
tells_who_waits() {
	wake ./a.out idle && awk '
		NR == FNR { if ($1 == "WAITED") waited = $2; if ($1 == "WAITS") waits = $2; next }
		/^ *[0-9.]+ +[0-9.]+  [a-z[]/ { holder = $3 }
		/ await_part \(wakers.c:[0-9]*\) to be woken at / { by[holder] += $2 }
		END {
			print "# [not woken yet] " by["[not"] + 0 " of " waits " s; slow_part " by["slow_part"] + 0 ", late_part " by["late_part"] + 0 " of " waited
			exit !(by["[not"] > 0.95 * waits - 0.03 && by["[not"] < 1.05 * waits + 0.03)
		}' out woken && grep -q "^They waited [0-9.]* seconds there until the recording ended, and were not woken.$" woken && return
	cat woken
	return 1
}
expect 'a wait that has not ended is [not woken yet]' tells_who_waits
expect '... in json and the page, too' '
	"$GPROF" --export=json -o json --run=clock=wall ./a.out idle 300 >out 2>err &&
	grep -q "{\"woken\":false,\"waiter\":{\"function\":\"await_part\"," json &&
	"$GPROF" --export=webpage -o page --run=clock=wall ./a.out idle 300 >out 2>err && grep -q "^\"blame\":{.*\"unwoken\":[1-9]" page'

# Nothing is slower without clock=wall.
# whose LIBRARY: the functions that wake others, as the program calls them, are all from there.
whose() {
	awk -v from="$1" '$2 != from { bad = 1; print "# " $0 } END { exit bad || NR != 4 }' out
}
"$GPROF" -o said --run ./a.out whose 0 >out 2>err
expect 'without clock=wall a program calls the functions of the C library itself' 'whose libc.so.6'
"$GPROF" -o said --run=clock=wall ./a.out whose 0 >out 2>err
expect '... and with it, those that note who calls' 'whose libgmon.so'
for flags in -Wl,-z,now -Wl,-z,lazy,-z,norelro '-fno-plt -Wl,-z,now' '-fno-pic -no-pie -Wl,-z,lazy'; do
	# shellcheck disable=SC2086 # words
	must_build linked gcc -O2 -g -pthread $flags "$programs/wakers.c" || tap_done
	expect "calls are taken over where the program is built with $flags" '
		wake ../linked/a.out once && grep -q "to be woken at queue+0x28$" woken'
done
must_build later gcc -O2 -g -pthread -shared -fPIC "$programs/wakers.c" || tap_done
expect '... and in a library that is loaded later' '
	wake ./a.out ../later/a.out && grep -q "to be woken at queue+0x28$" woken'
rm -f gmon.*
LD_PRELOAD=$builddir/libgmon.so GMON=run,clock=wall ./a.out once 500 >out 2>err
expect '... and with libgmon.so, without gprof' '"$GPROF" -b --blame a.out >woken 2>>err && grep -q "to be woken at queue+0x28$" woken'
expect 'and calls that are counted are of the function in the C library' '
	"$GPROF" -b -q -o graph --run=calls ./a.out condition 300 >out 2>err &&
	grep -q "^ .* pthread_cond_signal@libc.so.6 \[" graph'
expect 'without such a call the waker is unknown' '
	wake ./a.out futex && ! grep -q "to be woken at" woken && grep -q "^They waited [0-9.]* seconds in futex() for what does not tell" woken'
expect 'an object with the oldest condition variables of glibc has those, and no waker' '
	wake ../oldest/a.out condition && ! grep -q "to be woken at" woken && grep -q "WAITED 0.[89]\|WAITED 1" out'
tap_done
