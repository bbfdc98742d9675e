#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# A profile and its call stacks, two files, change together or not at all: gprof -s -o, --run=keep= and the runtime itself
# are killed at each of their system calls in turn. After every kill the file that is there has its stacks, the old or
# the new ones, which gprof reads; if they still wait for their name it says which command gives it to them, and that
# command does. With KILLS=N, about N kills ('make check-kills': 2,000).
# shellcheck disable=SC2016,SC2317 # conditions are evaluated later
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/faults/lib.sh"

# last_call COMMAND...: how many system calls it makes in all.
last_call() {
	"$TOOLS/killat" 1000000 "$@" 2>/dev/null | tail -n 1
}

# stacks_of FILE: the call stacks that gprof reads beside it; what it says is in the file said.
stacks_of() {
	rm -f folded
	"$GPROF" --export=folded -o folded "$program" "$1" 2>said >/dev/null || echo 'gprof failed'
	cat folded 2>/dev/null
}

# is_whole FILE: it has the stacks of "old", or those that belong to what it is now, after the command that gprof names.
is_whole() {
	stacks_of "$1" >now
	grep -v 'gprof: note: ' said >warnings
	if [ -s warnings ]; then
		command=$(sed -n "s/^[^ ]*gprof: warning: $1\.ext: call stacks are taken from .*: \(mv $1\.ext\.[0-9a-f]\{16\} $1\.ext\)$/\1/p" warnings)
		[ "$(wc -l <warnings)" = 1 ] && [ -n "$command" ] && mentions=$((mentions + 1)) && $command || return
		stacks_of "$1" >again
		cmp -s now again && ! grep -v 'gprof: note: ' said >warnings || return
	fi
	{ cmp -s "$1" old && cmp -s now old.stacks; } || is_new
}

# is_as_before: FILE and FILE.ext are the old ones, and nothing else is there.
is_as_before() {
	cmp -s "$file" old && cmp -s "$file.ext" old.ext && [ ! -e "$(echo "$file.ext".*)" ]
}

# kill_at N COMMAND...
kill_at() {
	begin
	"$TOOLS/killat" "$@" >/dev/null 2>&1 </dev/null
}

# moments: at which calls to kill: at each that gives or takes names of files; and at some, or with KILLS at so many, of all.
moments() {
	seq -f 'names %g' 1 20
	awk -v n="$count" -v kills="${KILLS:-36}" 'BEGIN { for (i = 0; i < kills / 3; i++) print 1 + int(i * n / int(kills / 3)) }'
}

# kill_each WHAT FILE COMMAND...: COMMAND, which replaces FILE and FILE.ext, is killed at one call after another.
kill_each() {
	what=$1
	file=$2
	shift 2
	begin
	count=$(last_call "$@")
	if ! [ "$count" -gt 1 ] 2>/dev/null; then
		tap_skip "$what" 'no process can be traced here'
		return
	fi
	kills=0
	mentions=0
	news=0
	: >bad
	moments >numbers
	while read -r n; do
		# shellcheck disable=SC2086 # one word or two
		kill_at $n "$@" || continue
		kills=$((kills + 1))
		is_as_before && continue
		news=$((news + 1))
		is_whole "$file" || { echo "at call $n of $count:" && cat warnings && ls "$file"*; } >>bad
	done <numbers
	echo "# $kills kills at $count system calls, $news behind the first change, stacks without their name $mentions times"
	expect "$what: killed at each of its moments, never without its stacks" '[ ! -s bad ] && [ "$news" -gt 0 ] && [ "$mentions" -gt 0 ]'
	tap_note <bad
}

check_sum() {
	mkdir sum && cd sum || exit 99
	make_profile <<-END
		text 0x401000 0x80
		sym main 0x401000
		sym work 0x401020
		profile
		hist 0x401000 0x401060 48 100
		tick work 30
		stack 30 main+4 work+2
		profile
		hist 0x401000 0x401060 48 100
		tick work 3
		stack 3 main+4 work+2
	END
	program=a.out
	begin() { rm -f gmon.sum* && cp old gmon.sum && cp old.ext gmon.sum.ext; }
	is_new() { cmp -s gmon.sum new && cmp -s now new.stacks; }
	"$GPROF" -s -o new a.out gmon.out gmon.2 2>log && stacks_of new >new.stacks
	cp gmon.out old && cp gmon.out.ext old.ext && stacks_of old >old.stacks
	kill_each '-s -o' gmon.sum "$GPROF" -s -o gmon.sum a.out gmon.sum gmon.2
	begin
	"$GPROF" -s -o gmon.sum a.out gmon.sum gmon.2 2>log
	expect 'the same without a kill' 'cmp gmon.sum new && stacks_of gmon.sum >now && cmp now new.stacks && [ ! -s said ]'
	check_left
	cd ..
}

# What killed writers have left is removed by the next sum, but not what might still be waited for, or is not of us.
check_left() {
	left=gmon.sum.ext.0123456789abcdef
	cp old.ext $left.2 && cp old.ext $left && touch -d '10 minutes ago' $left && echo text >gmon.sum.ext.1111111111111111 &&
		touch -d '10 minutes ago' gmon.sum.ext.1111111111111111 && cp old.ext gmon.sum.ext.2222222222222222
	run_gprof -s -o gmon.sum a.out gmon.out gmon.2
	expect 'stacks that wait for nothing are removed' \
		'[ ! -e $left ] && [ -e $left.2 ] && [ -e gmon.sum.ext.1111111111111111 ] && [ -e gmon.sum.ext.2222222222222222 ]'
	mkdir many && cp gmon.out gmon.out.ext gmon.2 gmon.2.ext many && cp old.ext many/gmon.2.ext.2222222222222222
	run_gprof -b -p a.out many
	expect 'a directory is read without them' '[ "$(cat "$scratch/status")" = 0 ] && ! grep -v " note: " "$scratch/err" && ! grep -q "left out" "$scratch/err"'
	run_gprof -b -p a.out many/*
	expect 'and so is a list of all that is there' '[ "$(cat "$scratch/status")" = 0 ] && ! grep -v " note: " "$scratch/err"'
}

# A program that takes some ticks, with few system calls; more with arguments, so that its profile is another one.
make_busy() {
	cat >busy.c <<-'END'
		__attribute__((noinline)) int leaf(int n)
		{
			volatile int sum = 0;
			for (int i = 0; i < n; i++)
				sum += i;
			return sum;
		}
		int main(int argc, char **argv)
		{
			int all = 0;
			for (int i = 0; i < argc && argv[i]; i++)
				all += leaf(30000000);
			return all == 1;
		}
	END
	"$CC" -O1 -g "$@" busy.c -o busy "$builddir/libgmon.a" -lpthread 2>log
}

check_runtime() {
	mkdir runtime && cd runtime || exit 99
	if ! [ -f "$builddir/libgmon.a" ] || ! make_busy -pg; then
		tap_skip 'the runtime' 'no program can be built with libgmon'
		cd .. && return
	fi
	program=busy
	# That stacks are those of another profile would be said.
	is_new() { [ -s "$file.ext" ]; }
	GMON=crash,stacks ./busy longer than others && mv gmon.out old && mv gmon.out.ext old.ext && stacks_of old >old.stacks
	begin() { rm -f gmon.out* && cp old gmon.out && cp old.ext gmon.out.ext; }
	kill_each 'GMON=crash,stacks' gmon.out env GMON=crash,stacks ./busy
	cd ..
}

check_keep() {
	mkdir keep && cd keep || exit 99
	if ! [ -f "$builddir/libgmon.so" ] || ! make_busy; then
		tap_skip '--run=keep=' 'no libgmon.so here'
		cd .. && return
	fi
	program=busy
	# That stacks are those of another profile would be said.
	is_new() { [ -s "$file.ext" ]; }
	"$GPROF" -b -p -o - --run=keep=kept ./busy longer than others >log 2>&1 && mv kept old && mv kept.ext old.ext && stacks_of old >old.stacks
	begin() { rm -f kept* && cp old kept && cp old.ext kept.ext; }
	kill_each '--run=keep=' kept "$GPROF" -b -p -o - --run=keep=kept ./busy
	cd ..
}

enter_work
can_interfere 'kills' || tap_done
check_sum
check_runtime
check_keep
tap_done
