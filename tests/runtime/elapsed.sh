#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# GMON=clock=wall: elapsed time, the critical path, and what others waited for locks, as programs of several threads reckon them that write down what
# each thread does when, and for whom it waits.
# shellcheck disable=SC2016,SC2034,SC2317 # conditions are evaluated later
. "${srcdir:-$(dirname "$0")/../..}/tests/runtime/lib.sh"

make_scratch
what=elapsed
tick=$(kernel_tick)
must_build elapsed gcc -O2 -pg -pthread "$programs/elapsed.c" "$archive" || tap_done
cd "$scratch/elapsed" || exit 99

list_threads() {
	"$TOOLS/extdump" gmon.out.ext 2>>err | grep "^thread [1-9]" | sort -k 2n >threads
}

# sum_of WORD: the numbers behind it, of all threads.
sum_of() {
	awk -v word="$1" '{ for (i = 4; i < NF; i++) if ($i == word) n += $(i + 1) } END { printf "%.0f\n", n }' threads
}

# take MODE MS [THREADS]: runs the program; leaves the reports critical and elapsed, and the list of what was recorded.
take() {
	rm -f gmon.*
	GMON=clock=wall run ./a.out "$@"
	"$GPROF" -b -p --clock=cpu a.out >cpu 2>>err
	for clock in critical elapsed blame; do
		"$GPROF" -b --inclusive --clock=$clock a.out >$clock 2>>err
	done
	nm -n a.out >syms
	"$TOOLS/stackdump" gmon.out syms >dump 2>>err
	list_threads
	looks=$(sum_of looks)
}

# all_of CLOCK: its ticks add up to what the program has measured. Before main() and after it some time passes, and one
# look may come late by what the machine is busy, which the mean distance of looks shows.
all_of() {
	awk -v clock="$1" 'NR == FNR { if ($1 == "ALL") all = $2; next }
		/^Measured by the clock:/ { seen = $5 }
		END { print "# " clock ": " seen " of " all " s"; exit !(seen > all * 0.99 - 0.02 && seen < all * 1.01 + 0.05) }' out "$1"
}

# as_reckoned CLOCK SHARE [NAME...]: of each function, or of these, as the program has reckoned, within SHARE of all,
# two looks, and what no stack is known of; or within four standard deviations of what the looks that divide it allow, if
# SHARE is 0. No stack is known of what a thread does until its first sample, which comes after a period and up to five of
# the kernel's ticks (sampled_whole), or where it is seldom looked at, the distance of looks in so many.
as_reckoned() {
	clock=$1 share=$2
	shift 2
	awk -v clock="$clock" -v share="$share" -v names=" $* " -v looks="$looks" -v threads="$(wc -l <threads)" -v tick="$tick" '
		NR == FNR && $1 == (clock == "blame" ? "BLAMED" : "ALL") { all = $2 }
		NR == FNR && $1 == "TRUE" && $2 == clock && (names == "  " || index(names, " " $3 " ")) { is[$3] = $4 }
		NR == FNR { next }
		/^ *[0-9]/ { seen[$NF] = $2 }
		/\[unknown time\]/ { unknown = $2; print "# " clock ": unknown " unknown " s of " all }
		END {
			for (name in is) {
				n++
				p = is[name] / all
				bound = share ? share : 4 * sqrt(p * (1 - p) / looks)
				off = seen[name] - is[name]
				print "# " clock " " name ": " seen[name] + 0 " s, reckoned " is[name]
				bad += (off < 0 ? -off : off) > bound * all + 0.02 + unknown
			}
			most = threads * (1 + 5 * tick * 100) / looks
			if (unknown > most * all) print "# unknown: more than " most * all " s, by " threads " threads and " looks " looks"
			exit bad > 0 || n == 0 || unknown > most * all
		}' out "$clock"
}

# tries WHAT MODE CONDITION [THREADS]: with other programs in the way, a look can come late; so several times at most.
tries() {
	for try in 1 2 3; do
		take "$2" "${length:-1500}" ${4:+"$4"}
		if eval "$3" >notes; then
			tap_ok "$1"
			return
		fi
	done
	tap_not_ok "$1, in $try runs"
	cat notes
}

three=0.03
tries 'alone, then in eight threads: each moment counts once' serial \
	'as_reckoned critical $three && as_reckoned elapsed $three && all_of critical && all_of elapsed'
expect '... beside the kinds that there were' \
	'grep -q "^kind 2 1000000 seconds s elapsed$" dump && grep -q "^kind 3 1000000 seconds s critical$" dump'
tries 'one share of four is larger: that is what the end waits for' join \
	'as_reckoned critical $three && as_reckoned elapsed $three'
# A thread that was woken is where it waited until it has a processor, and then nothing tells any more for whom it waits; nor
# does anything between a share's end and the kernel's word of it. Main waits for two.
# guessed_queued: no more is guessed than the first thread was in the queue for one, as the kernel says, and two looks.
guessed_queued() {
	awk 'NR == FNR && FNR == 1 { for (i = 4; i < NF; i++) if ($i == "runnable") queued = $(i + 1) / 1e9; found = 1 }
		NR != FNR && /^Measured by the clock/ { all = $5; for (i = 6; i <= NF; i++) if ($i ~ /^guessed/) guessed = $(i - 2) * all / 100 }
		END {
			print "# guessed " guessed + 0 " s of " all ", queued " queued
			exit !(found && all && guessed <= queued + 0.02 + all * 0.0005)
		}' threads critical
}
tries '... which nobody had to guess' join guessed_queued
expect '... and the first screen says so' '
	"$GPROF" --top a.out >screen && grep -q "^critical path (--clock=critical): work [0-9.]* %" screen'
# Where the thread was in pieces that are as short as the time between two samples, these say, not the looks: it has been
# 24 points off on a busy machine. So only the order is sure.
tries 'a lock that one thread holds most of the time' mutex '
	all_of critical && all_of elapsed &&
	awk "/ slow_path\$/ { slow = \$2 } / (outside|quick|rest)\$/ && \$2 > most { most = \$2 } END { print \"# \" slow, most; exit !(slow > most) }" critical'
# Of what waits for the lock, the samples of CPU time of the one that has it decide where that was.
tries '... and what others waited for it, in the function that had it' mutex '
	as_reckoned blame 0'
# Each is looked at seldom, and those that hold each other up end between two looks: a tenth was unknown.
# nearly_known: of what others have waited, no more than 3 % and a look is unknown.
nearly_known() {
	awk '/^Measured by the clock:/ { all = $5 } / \[unknown time\]/ { unknown = $2 }
		END { print "# unknown " unknown + 0 " of " all; exit !(all > 0 && unknown < all * 0.03 + 0.02) }' blame
}
tries '... also beside a hundred threads' mutex 'as_reckoned blame 0 && nearly_known' 100
take mutex "${length:-1500}"
expect '... no second more or less than they waited' '
	"$GPROF" -b --inclusive --clock=off --thread-view=all a.out >off 2>>err
	awk "NR == FNR && / take\$/ { waited = \$2 } NR > FNR && /^Measured by the clock/ { blamed = \$5 } END { print \"# \" blamed, waited; exit !(blamed > 0 && blamed < waited + 0.02 && blamed > waited - 0.02) }" off blame'
expect '... and the first screen says so' '
	"$GPROF" --top a.out >screen && grep -q "^others waited [0-9.]* s for locks held in (--blame): slow > slow_path" screen'
# unseen_ones: five times; true if each time slow_path, in which the owner has the lock nearly all of the time, has most. If
# not, it notes who has.
unseen_ones() {
	for try in 1 2 3 4 5; do
		take unseen 1000
		awk '/ slow_path$/ { slow = $2 } /^Measured by the clock/ { all = $5 }
			END { print "# " slow + 0 " of " all; exit !(slow > all / 2) }' blame && continue
		sed 's/^/# /' blame threads
		return 1
	done
}
expect '... also if they waited before it was sampled for the first time' unseen_ones
tries 'three stages: the waker of a condition is guessed, and said to be' pipeline '
	as_reckoned critical 0 stage_two && grep -q "% guessed" critical'
tries 'nobody runs: that is waiting, too' sleep \
	'awk "NR == FNR { if (\$1 == \"ALL\") all = \$2; next } / rest_a_while\$/ { seen = \$2 } END { exit seen < all * 0.95 }" out critical &&
	 awk "NR == FNR { if (\$1 == \"ALL\") all = \$2; next } / rest_a_while\$/ { seen = \$2 } END { exit seen < all * 0.95 }" out elapsed'
# nearly_all CLOCK NAME [SHARE]: a function, or what stands for one, has 0.95 of all the time, or that share; but for the
# time in which a thread was ready to run, as the kernel says.
nearly_all() {
	awk -v name="$2" -v share="${3:-0.95}" -v queued="$(sum_of runnable)e-9" '
		FILENAME == "out" { if ($1 == "ALL") all = $2; next }
		substr($0, length($0) - length(name)) == " " name { seen = $2 }
		END { print "# " name ": " seen + 0 " of " all ", of which runnable " queued + 0; exit !(all > 0 && seen > all * share - queued) }' out "$1"
}
expect '... above it stands that no thread ran' \
	'nearly_all critical "[all wait]" && nearly_all elapsed "[all wait]"'
# The last nap is not over when the first thread goes on: 1.41 of 1.5 s end with a nap.
tries 'while nobody runs, elapsed time is that of the wait that ends first; the critical path is that of the first thread' nap \
	'nearly_all elapsed nap 0.85 && nearly_all elapsed "[all wait]" && nearly_all critical rest_a_while'
tries '... and none is where a thread runs' join '! grep -q "all wait" critical'
rm -f gmon.*
GMON=stacks run ./a.out join 100
"$TOOLS/stackdump" gmon.out syms >dump 2>&1
expect 'nothing of it is recorded without clock=wall' '[ "$(grep -c "^kind" dump)" = 1 ]'

# Of a hundred threads that wait for one lock all the time, each is asked for its CPU clock; no file is read for it, but
# of those that the kernel would wake first, and of some whether they run; and the lock is read once. Each turn of the
# helper asks twice for what has been used. Fifty turns tell that from a hundred times a look; looks get rarer as they cost
# more, and being traced costs much, so the program runs until there are so many.
what=queue
must_build queue gcc -O2 -pg -pthread "$programs/queue.c" "$archive" || tap_done
cd "$scratch/queue" || exit 99
# system_calls BOUND: true if BOUND holds for the system calls, by name in n, of that many turns.
system_calls() {
	awk "{ n[\$NF] = \$4 } END {
		turns = n[\"getrusage\"] / 2
		print \"# \" turns \" turns, \" n[\"clock_gettime\"] \" clocks, \" n[\"pread64\"] \" reads of files, \" n[\"process_vm_readv\"] \" of memory\"
		exit !(turns >= 50 && $1)
	}" calls
}
if command -v strace >/dev/null; then
	for length in 2000 4000 8000 16000 32000; do
		GMON=clock=wall run strace -f -qq -c -o calls ./a.out 100 "$length"
		system_calls 1 && break
	done
	expect 'a hundred threads that wait for a lock are not read a hundred times a look' '
		system_calls "n[\"pread64\"] < 1500 + 60 * turns && n[\"process_vm_readv\"] < 1000 + 10 * turns"'
	# A look at one of the threads that wait asks for its CPU clock.
	expect 'and looked at in turns, as that costs more than a hundredth of a processor' '
		system_calls "n[\"clock_gettime\"] < 3000 + 50 * turns"'
else
	tap_skip 'what a look reads' 'no strace: install Debian package strace'
fi
# all_blamed: what they have waited, as they say, but for the time in which one was ready to run, as the kernel says.
all_blamed() {
	GMON=clock=wall run ./a.out 100 1000 && list_threads &&
		"$GPROF" -b --inclusive --clock=blame a.out >blame 2>>err &&
		awk -v queued="$(sum_of runnable)e-9" '
			FILENAME == "out" && $1 == "ALL" { all = $2 }
			/^Measured by the clock/ { blamed = $5 }
			/ main$/ { held = $2 }
			END {
				print "# " held " of " blamed "; waited " all ", runnable " queued + 0
				exit !(all && blamed > all * 0.95 - queued && blamed < all * 1.03 && held > blamed * 0.95)
			}' out blame
}
expect 'and all that they wait is blamed' all_blamed
# cheap_looks: as reading files of /proc takes a time that differs from one machine to another by a factor of three, the first
# look at each thread, which opens its files, may cost as much as the program needs to read them three times. It was 0.02 and more.
cheap_looks() {
	for try in 1 2 3; do
		GMON=clock=wall run ./a.out 100 3000 wake
		sed 's/^/# /' out
		awk '{ is[$1] = $2 } END { exit !(is["HELPER"] > 0 && is["HELPER"] < 0.01 + 3 * is["READ"] && is["LATER"] < 0.01) }' out && return
	done
	return 1
}
expect 'a hundred threads that wake up all the time cost about a hundredth of a processor' cheap_looks
expect 'without clock=wall there is no helper' '
	GMON=stacks run ./a.out 8 100 wake && grep -q "^HELPER 0.0000\$" out'
cd "$scratch/elapsed" || exit 99
tries 'with so many threads, what the first one does alone for a tenth of a second is seen, too' phases \
	'as_reckoned elapsed $three serial_part' 100

# As blame.md's acceptance has it: with few and many threads, and beside others that are busy.
length=5000
for beside in 0 8; do
	[ -n "$SLOW" ] || break
	busy=
	for i in $(seq $beside); do
		sh -c 'while :; do :; done' &
		busy="$busy $!"
	done
	for n in 2 8 100; do
		with="$n threads, beside $beside"
		tries "serial, $with" serial 'as_reckoned critical $three && as_reckoned elapsed 0.02' $n
		tries "join, $with" join 'as_reckoned critical $three && as_reckoned elapsed 0.02' $n
		tries "pipeline, $with" pipeline 'as_reckoned critical 0 stage_two' $n
		tries "mutex, $with" mutex 'as_reckoned blame 0' $n
	done
	# shellcheck disable=SC2086 # a list
	[ -z "$busy" ] || kill $busy
done
tap_done
