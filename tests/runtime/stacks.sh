#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# GMON=stacks: what gmon.out.ext holds, as a reader of its own (tests/tools/stackdump) sees it.
# shellcheck disable=SC2016,SC2034,SC2317 # conditions are evaluated later
. "${srcdir:-$(dirname "$0")/../..}/tests/runtime/lib.sh"
let_nobody_in "$@"

# run_stacks KEYS ARGUMENT...: runs a.out with GMON=stacks,verbose and these keys, and dumps what it leaves. What earlier
# runs left stays.
run_stacks() {
	GMON=stacks,verbose${1:+,$1}
	shift
	run "${program:-./a.out}" "$@"
	dump gmon.out
}

# dump PROFILE [SYMBOLS]: into the file dump; an error is a line that begins with "unsound".
dump() {
	[ -f syms ] || nm -n a.out >syms
	"$TOOLS/stackdump" "$1" "${2:-syms}" >dump 2>&1 || echo "unsound: status $?" >>dump
	late=$(lateness "$1")
}

# asserts WHAT CONDITION: in this directory.
asserts() {
	if eval "$2"; then
		tap_ok "$1"
	else
		tap_not_ok "$1"
		{
			echo "condition: $2, status $status"
			cat out err
			ls -l
			head -n 60 dump
		} | tap_note
	fi
}

# is_sound: the last dump, of a run that ended as it should.
is_sound() {
	[ "$status" = 0 ] && ! grep -q '^unsound' dump && grep -q '^stamp right$' dump
}

# said WORDS: the number before WORDS in what verbose said.
said() {
	sed -n "s/.*[^0-9]\([0-9][0-9]*\) $1.*/\1/p" err | head -n 1
}

# all_ticks: of the last run. The ticks of all stacks are those of the program, those outside and those that nobody saw,
# and not few; and what verbose says of them is so.
all_ticks() {
	total=$(sed -n 's/^total //p' dump) unknown=$(said 'ticks more belong')
	[ "${total:-0}" -gt 5 ] && [ "$(ticks '^unknown')" = "${unknown:-0}" ] &&
		[ "$total" = $(($(said 'ticks in the program') + $(said 'outside at') + ${unknown:-0})) ] &&
		[ "$(ticks '^complete')" = "$(said complete)" ] && [ "$(ticks '^guessed')" = "$(said guessed)" ] &&
		[ "$(ticks '^broken')" = "$(said broken)" ] && [ "$(ticks '^cut')" = "$(said 'cut ones')" ]
}

# is_whole: the dump is sound, and has all ticks.
is_whole() {
	is_sound && all_ticks
}

# ticks PATTERN: of the stacks, "QUALITY THREAD FUNCTION;...", that it matches.
ticks() {
	awk -v pattern="$1" '$1 == "sample" { n = $2; $1 = $2 = ""; sub(/^ */, ""); if ($0 ~ pattern) sum += n }
		END { print sum + 0 }' dump
}

# nearly FOUND SECONDS [THREADS]: ticks at 250 a second, within four times their root, which chance passes once in 15000
# times; a thread's end may hide two. As many signals fewer as these are late: what one stands for is in one place.
nearly() {
	awk -v found="$1" -v seconds="$2" -v threads="${3:-1}" -v late="$late" 'BEGIN {
		most = 4 * sqrt(250 * seconds * late)
		exit !(found <= 250 * seconds + most && found >= 250 * seconds - most - 2 * threads * late)
	}'
}

# paths_hold [PROFILE]: each path that the program spoke of has its share of ticks, on complete stacks.
paths_hold() {
	grep '^PATH' "${1:-out}" >paths || return 1
	while read -r _ seconds stack; do
		found=$(ticks "^complete [0-9]* (_start;)?(.*;)?$stack")
		nearly "$found" "$seconds" || {
			echo "# $stack: $found ticks for $seconds s"
			return 1
		}
	done <paths
}

# shared_calls: "CALLS/ALL NAME" of a call graph.
shared_calls() {
	without_notes | grep -o '[0-9][0-9]*/[0-9][0-9]* *[a-z_]*' | sort
}

# The whole tree, in which one caller is five times as dear as the other.
test_shares() {
	run_stacks rate=250 shares
	asserts "one function for two callers: the file is sound, its ticks are the profile's" is_whole
	asserts "one function for two callers: each has its time, on complete stacks" paths_hold
	asserts "the stacks begin where the program does" '[ "$(($(ticks "^complete 1 _start;.*;main;shares;") * 3))" -gt "$(($(ticks "^[^u]") * 2))" ]'
	asserts "the program and the C library have records" \
		'grep -q "^module 0 1 .* $(readlink -f a.out)$" dump && grep -q "^module .*/libc.so.6$" dump &&
		grep -qF " $(readelf -n a.out | sed -n "s/.*Build ID: //p") " dump && grep -q " $(wc -c <a.out) " dump'
	# That at its last sample: what its samples say, give or take what a look may count ahead (sampled_whole).
	asserts "the thread has its number, its name and its CPU time" \
		'awk -v seen="$(ticks "^[^u]")" -v tick="$(kernel_tick)" "\$1 == \"thread\" && \$2 == 1 && \$3 > 1 && \$5 == \"a.out\" {
				off = \$4 / 1e9 - seen / 250; most = 5 * tick + 2 / 250; found = seen > 0 && off < most && -off < most }
			END { exit !found }" dump'
	cp gmon.out with-stacks
	GMON=verbose,rate=250
	run ./a.out shares
	# On a busy machine the kernel may look at neither of both in its 0.36 s; without time, _start has an entry by -z only.
	for gprof in "$GPROF" ${SYSTEM_GPROF:+"$SYSTEM_GPROF"}; do
		"$gprof" -b -z -q a.out with-stacks 2>&1 | shared_calls >with
		"$gprof" -b -z -q a.out gmon.out 2>&1 | shared_calls >without
		same "$gprof reads the profile as ever: its calls" with without
	done
	for clock in profil thread; do
		run_stacks rate=250,clock=$clock,jitter=no shares
		asserts "clock=$clock: sound, and all ticks" is_whole
	done
}

# rows_hold: what is wrong with the records of threads of which each but one has ended when the next begins. A record has
# the CPU time of its thread's last sample, which on a busy machine may be missing, or be the only one.
rows_hold() {
	grep "^THREAD" out | while read -r _ seconds name; do
		awk -v name="$name" '$1 == "thread" && $5 == name { print $2, $4 / 1e9 }' dump >record
		[ -s record ] || continue
		read -r number used <record
		echo "$used" >&3
		[ "$(wc -l <record)" = 1 ] && nearly "$(ticks "^complete $number .*;work;")" "$used" &&
			awk -v used="$used" -v all="$seconds" 'BEGIN { exit !(used < all + 0.02) }' || echo "$name: $seconds s, $used s"
	done 3>cpu_times
	awk '{ sum += $1 } END { if (NR < 6 || NR > 12 || sum < 0.2) print NR " records, " sum " s" }' cpu_times
}

test_threads() {
	run_stacks rate=250 threads 64
	asserts "64 threads at once: sound, and all ticks" is_whole
	asserts "64 threads at once: those of each kind are on its stacks" \
		'nearly "$(ticks ";work;odd;leaf")" 0.96 32 && nearly "$(ticks ";work;even;leaf")" 1.92 32'
	asserts "64 threads at once: each has no more looks than ticks" looks_hold
	run_stacks rate=250 row 12
	asserts "one thread after the other: sound, and all ticks" is_whole
	asserts "one thread after the other: each has its own record and stacks, though tables are adopted" \
		'rows_hold >wrong && [ ! -s wrong ]'
}

test_forks() {
	run_stacks rate=250 fork
	asserts "fork: the parent's file is sound" is_sound
	asserts "fork: the parent's stacks are its own" \
		'nearly "$(ticks ";in_parent;leaf")" 0.2 && [ "$(ticks in_child)" = 0 ]'
	child=$(ls gmon.out.[0-9]*.ext)
	dump "${child%.ext}"
	asserts "fork: the child's file is sound" '[ -n "$child" ] && is_sound'
	asserts "fork: the child's stacks are its own" \
		'nearly "$(ticks ";in_child;leaf")" 0.2 && [ "$(ticks in_parent)" = 0 ]'
	rm -f gmon.out.*
}

test_limits() {
	run_stacks rate=250,depth=16 deep 40
	asserts "depth=16: sound, and all ticks" is_whole
	asserts "depth=16: the ends of deep stacks are there, with a gap, and that they are cut" \
		'nearly "$(ticks "^cut 1 _start;[^;]*;0x1;(deep;)+leaf")" 0.3 &&
		[ "$(awk "/^sample/ { print split(\$5, all, \";\") }" dump | sort -rn | head -n 1)" = 17 ]'
	GMON=stacks=20100,depth=65535,rate=250,verbose
	run ./a.out deep 20000
	dump gmon.out
	asserts "a stack of 20000 functions is whole at depth=65535" \
		'is_whole && nearly "$(awk "
			\$3 == \"complete\" && split(\$5, all, \";\") > 20000 { sum += \$2 }
			END { print sum }" dump)" 0.3'
	# Where looks are late, there are fewer stacks.
	for seconds in 0.6 2.4 9.6; do
		run_stacks rate=250,stacks=1000 wide $seconds
		[ "$(ticks "^cut")" -le 10 ] || break
	done
	asserts "stacks=1000: sound, and all ticks" is_whole
	asserts "stacks=1000: no more nodes, and the others are cut and said to be" \
		'[ "$(sed -n "s/^nodes //p" dump)" -le 1000 ] && [ "$(ticks "^cut")" -gt 10 ] && [ "$(ticks "^complete")" -gt 5 ] &&
		grep -q "^libgmon: call stacks are cut: GMON=stacks=NODES" err'
}

# Two plugins whose code, frames and loader's records lie at the same addresses. What the C compiler adds for their
# beginning and end has no unwind information; the loader calls it.
test_plugins() {
	for id in sha1 none; do
		mkdir -p $id
		for which in 1 2; do
			"$CC" -O1 -shared -fPIC -DWHICH=$which -Wl,--build-id=$id -o $id/$which.so "$programs/turn.c" || return
		done
		mv $id/1.so $id/a.so
		mv $id/2.so $id/b.so
		what="plugins in turn, build id $id"
		# A turn is shorter than a busy machine may be late, and then one of the two may have much of the other's.
		for _ in 1 2 3 4 5; do
			run_stacks rate=250 plugins ./$id
			[ "$(ticks ";by_a;.a.so")" -le 30 ] || [ "$(ticks ";by_b;.b.so")" -le 30 ] || break
		done
		grep -q '^MOVES 0$' out || echo "the second is at another address here" | tap_note
		asserts "$what: sound, and all ticks" is_whole
		asserts "$what: no time of one in the other" '[ "$(ticks ";by_a;.a.so")" -gt 30 ] && [ "$(ticks ";by_b;.b.so")" -gt 30 ] &&
			[ "$(ticks ";by_a;.b.so")" = 0 ] && [ "$(ticks ";by_b;.a.so")" = 0 ] && [ "$(ticks "^(guessed|broken|cut) .*;by_[ab];")" = 0 ]'
		asserts "$what: each has one record, and was unloaded" \
			'[ "$(grep -c "^module [0-9]* 4 .*/a.so$" dump)" = 1 ] && [ "$(grep -c "^module [0-9]* 4 .*/b.so$" dump)" = 1 ]'
	done
}

# What the program says to the recording.
test_control() {
	run_stacks rate=250 pauses
	asserts "moncontrol(0) and gmon_reset(): no stack of that time" \
		'is_whole && [ "$(ticks "paused|forgotten")" = 0 ] && nearly "$(ticks ";pauses;leaf")" 0.2'
	run_stacks rate=250,dump=USR1 dumps 20
	asserts "dumps on a signal: the last file is whole" 'is_whole && nearly "$(ticks ";dumps;leaf")" 0.4'
	rm -f gmon.out*
	GMON=stacks,rate=250,term,dump=USR1 ./a.out endless >out 2>err &
	pid=$!
	has_used $pid 50
	for _ in 1 2 3 4 5; do
		rm -f gmon.out gmon.out.ext
		kill -USR1 $pid
		tries=0
		until [ -f gmon.out ] && [ -f gmon.out.ext ] || [ $tries -eq 1000 ]; do
			sleep 0.05
			tries=$((tries + 1))
		done
		cp gmon.out taken 2>/dev/null && cp gmon.out.ext taken.ext
		dump taken
		grep -q '^stamp right$' dump || break
	done
	status=0
	asserts "each dump of a program that goes on is whole when it is there" is_sound
	kill -TERM $pid
	wait $pid 2>/dev/null
	dump gmon.out
	asserts "a terminating signal writes both" 'is_sound && [ "$(ticks ";shares;costly;leaf")" -gt 20 ]'
}

# What stands beside a profile is of it.
test_stale() {
	run_stacks '' shares
	GMON=verbose
	run ./a.out shares
	asserts "a run without stacks removes those of an earlier one" '[ -f gmon.out ] && [ ! -e gmon.out.ext ]'
	echo mine >gmon.out.ext
	run ./a.out deep 1
	asserts "but not what is none of ours" '[ "$(cat gmon.out.ext)" = mine ]'
	rm -f gmon.out*
	mkdir gmon.out
	GMON=stacks
	run ./a.out deep 1
	asserts "no stacks beside a profile that could not be written" \
		'[ "$(count_files gmon.out.ext*)" = 0 ] && grep -q "cannot write gmon.out: Is a directory" err'
	rmdir gmon.out
	mkdir gmon.out.ext
	run ./a.out deep 1
	asserts "a name that is taken: said, and the profile is written" \
		'[ -s gmon.out ] && grep -q "^libgmon: cannot write gmon.out.ext: Is a directory$" err && [ "$(count_files gmon.out*.tmp)" = 0 ]'
	rmdir gmon.out.ext
	GMON=stacks,crash,libs
	run ./a.out deep 1
	asserts "GMON=libs: one file of stacks, of the program" '[ "$(count_files gmon.out*.ext)" = 1 ] && [ ! -e gmon.out.live ]'
}

# A directory that takes no new files.
test_in_place() {
	what="in place: both files"
	can_be_nobody "$what" || return
	mkdir -p place
	rm -f place/*
	cp a.out syms place
	for file in place/gmon.out place/gmon.out.ext; do
		: >$file
		chmod 666 $file
	done
	chmod 555 place
	(run_results=.. && cd place && GMON=stacks run $as_nobody ./a.out deep 1)
	cd place || exit 99
	run_results=.. status=$(cat ../status)
	"$TOOLS/stackdump" gmon.out syms >../dump 2>&1
	cd .. || exit 99
	run_results=.
	asserts "$what are written, with the right stamp" is_sound
	chmod 755 place && rm place/gmon.out.ext && chmod 555 place
	(run_results=.. && cd place && GMON=stacks run $as_nobody ./a.out deep 1)
	asserts "in place: no place for stacks is said, and the profile is written" \
		'[ ! -e place/gmon.out.ext ] && grep -q "cannot write gmon.out.ext: Permission denied" err && [ -s place/gmon.out ]'
	chmod 755 place
}

# What a killed program leaves.
test_crash() {
	rm -f gmon.out*
	GMON=stacks,rate=250,crash ./a.out endless >out 2>err &
	pid=$!
	has_used $pid 90
	kill -KILL $pid
	wait $pid 2>/dev/null
	mv gmon.out.live gmon.out
	"$TOOLS/stackdump" -l gmon.out syms >dump 2>&1 || echo "unsound: status $?" >>dump
	status=0
	asserts "killed: gmon.out.live has stacks, threads and modules" '! grep -q "^unsound" dump &&
		[ "$(ticks "^complete 1 _start;.*;main;shares;costly;leaf")" -gt 20 ] && grep -q "^thread 1 $pid [0-9]* a.out$" dump &&
		grep -q "^module 0 1 .*/a.out$" dump && grep -q "^module .*/libc.so.6$" dump'
	asserts "killed: gprof reads the rest" '"$GPROF" -b -p a.out gmon.out | grep -q " leaf$"'
}

# What somebody writes to the file of GMON=crash spoils the stacks, and nothing else.
test_spoiled() {
	for byte in 255 1 0; do
		rm -f gmon.out*
		GMON=stacks,rate=250,crash,term ./a.out endless >out 2>err &
		pid=$!
		has_used $pid 20
		"$TOOLS/stackdump" -s gmon.out.live $byte
		has_used $pid 40
		kill -TERM $pid
		wait $pid 2>/dev/null
		status=$(($? - 143))
		dump gmon.out
		asserts "the stacks in gmon.out.live filled with $byte: the program lives, and what it writes is sound" is_sound
	done
}

# Other ways to be profiled.
test_kinds() {
	for kind in '-static' '-static-pie -fPIE' '-mfentry' '-O3 -mfentry' '-no-pie'; do
		dir=$scratch/kind
		rm -rf "$dir"
		# shellcheck disable=SC2086 # words
		if ! build kind gcc -O1 -pg -pthread $kind -I"$srcdir/include" "$programs/stacks.c" "$archive" -ldl; then
			tap_skip "$kind" "gcc cannot build it here"
			continue
		fi
		cd "$dir" || exit 99
		run_stacks rate=250 shares
		asserts "$kind: sound, and all ticks" is_whole
		asserts "$kind: each caller has its time" paths_hold
	done
	rm -rf "$scratch/kind"
	what="LD_PRELOAD"
	build kind gcc -O1 -pg -pthread -I"$srcdir/include" "$programs/stacks.c" -ldl
	cd "$scratch/kind" || exit 99
	LD_PRELOAD=$builddir/libgmon.so
	export LD_PRELOAD
	run_stacks rate=250 shares
	unset LD_PRELOAD
	dump gmon.out
	asserts "$what: each caller has its time" 'is_sound && paths_hold'
	LD_PRELOAD=$builddir/libgmon.so
	export LD_PRELOAD
	run_stacks rate=250 calls 0.4
	unset LD_PRELOAD
	dump gmon.out
	"$GPROF" -b --inclusive --call-tree -z a.out >report 2>&1
	asserts "$what: the recorder is on stacks" 'is_sound && [ "$(ticks ";calls;.*[[]libgmon.so[]]$")" -gt 10 ]'
	asserts "... and in no report; its time is said" '! grep -q libgmon report && grep -q "; [0-9]* more in the profiler itself" report'
	cd "$scratch/a" || exit 99
}

# While the program blocks the signal.
test_unseen() {
	what="time that nobody saw"
	must_build unseen gcc -O1 -pg "$programs/clocks.c" "$archive" || return
	cd "$scratch/unseen" || exit 99
	run_stacks rate=250 block
	asserts "$what: its ticks are in the file, and of their thread" 'is_whole && [ "$(ticks "^unknown 1 -")" -gt 100 ]'
	"$GPROF" -b --inclusive a.out >report 2>err
	asserts "$what: reports say how much it is" \
		'grep -q ", [0-9.]* % of unknown time" report && grep -q "^[ 0-9.]*  \[unknown time\]$" report'
	cd "$scratch/a" || exit 99
}

# looks_hold [TIMES]: of each thread of gmon.out.ext, at most as many looks as ticks that they counted, and these at most as
# many as the sum of the squares. With TIMES, each counted so many in the mean, and so did the squares, at least.
looks_hold() {
	"$TOOLS/extdump" gmon.out.ext | awk -v times="${1:-0}" '
		$1 == "thread" {
			for (i = NF; i > 3 && $i != "looks"; i--)
				;
			looks[$2] += $(i + 1)
			squares[$2] += $(i + 3)
			known += $i == "looks" && $(i + 2) == "squares"
		}
		$2 == "cpu" && !($3 == "broken" && NF == 4) { split($4, of, "/"); ticks[of[2]] += $1 }
		END {
			for (thread in looks) {
				all += looks[thread]
				bad += !(looks[thread] <= ticks[thread] && ticks[thread] <= squares[thread])
				bad += times * looks[thread] > ticks[thread] || times * ticks[thread] > squares[thread]
			}
			exit !(known > 1 && all > 5 && bad == 0)
		}'
}

# As many ticks as came while the signal waited are of one look. Of 12 times 10, since the last may end before it is told.
test_looks() {
	cd "$scratch/unseen" || exit 99
	run_stacks rate=250 pieces
	asserts "signals that stand for many: so few are counted" 'is_sound && looks_hold 4'
	"$GPROF" -b -p --confidence a.out >report 2>err
	asserts "... and intervals are of these" \
		'[ "$(sed -n "s/.* intervals of sampling from \([0-9]*\) signals, as good as [0-9]* samples\.$/\1/p" report)" -lt 30 ]'
	cd "$scratch/a" || exit 99
}

make_scratch
what=a
must_build a gcc -O1 -pg -pthread -I"$srcdir/include" "$programs/stacks.c" "$archive" -ldl || tap_done
export GMON
cd "$scratch/a" || exit 99
GMON=stacks
run ./a.out deep 1
if grep -q 'GMON=stacks: call stacks are not supported on this machine' err; then
	asserts "a machine without stacks: a profile, and no word but this" \
		'[ "$(wc -l <err)" = 1 ] && [ -s gmon.out ] && [ ! -e gmon.out.ext ]'
	tap_done
fi
test_shares
test_threads
test_forks
test_limits
test_plugins
test_control
test_stale
test_in_place
test_crash
test_spoiled
test_kinds
test_unseen
test_looks
tap_done
