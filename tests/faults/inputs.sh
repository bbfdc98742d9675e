#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# No output takes the place of what the run reads, under whatever name, or of another output: exports, gmon.sum, files
# of -y. The sum alone may replace a gmon.sum that it was made of.
# shellcheck disable=SC2016,SC2034,SC2094,SC2317 # conditions are evaluated later; what is refused
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/faults/lib.sh"

# keeps FILE ARGUMENT...: gprof refuses to write to FILE, which stays what it is.
keeps() {
	file=$1
	shift
	cp "$file" "$scratch/copy"
	run_gprof "$@"
	expect "kept: gprof $*" \
		'says "${as:-$file}: not replaced, as this run reads it" && cmp -s "$file" "$scratch/copy" && none_left'
}

check_exports() {
	cp gmon.out x.gmon
	keeps x.gmon --export=csv -o x.gmon a.out x.gmon
	as=./x.gmon keeps x.gmon --export=csv -o ./x.gmon a.out x.gmon
	keeps gmon.out --export=csv -o gmon.out
	keeps a.out -o a.out --export=webpage
	keeps gmon.2 --export=dot -o gmon.2 a.out gmon.out gmon.2
	ln x.gmon hard
	as=hard keeps x.gmon --export=json -o hard a.out x.gmon
	rm hard
	cp gmon.out gprof.csv
	keeps gprof.csv --export=csv a.out gprof.csv
	rm gprof.csv
	mkdir profiles && cp gmon.out gmon.2 profiles
	keeps profiles/gmon.2 --export=folded -o profiles/gmon.2 a.out profiles
	rm -r profiles
	nm a.out >symbols
	keeps symbols --export=csv -o symbols -S symbols
	cp gmon.out stdin
	"$GPROF" --export=csv -o stdin a.out - <stdin >"$scratch/out" 2>"$scratch/err"
	echo $? >"$scratch/status"
	expect 'kept: standard input' 'says "stdin: not replaced, as this run reads it" && cmp -s stdin gmon.out'
	cp gmon.out stdin
	"$GPROF" --export=csv -o /dev/fd/7 a.out stdin 7>>stdin >"$scratch/out" 2>"$scratch/err"
	echo $? >"$scratch/status"
	expect 'kept: a descriptor' 'says "/dev/fd/7: not written to, as this run reads it" && cmp -s stdin gmon.out'
	mkfifo pipe
	timeout 60 "$GPROF" --export=csv -o pipe a.out pipe >"$scratch/out" 2>"$scratch/err" &
	cat gmon.out >pipe
	wait $!
	echo $? >"$scratch/status"
	expect 'a pipe is not written to that was read' 'says "pipe: not written to, as this run reads it"'
	run_gprof --export=csv -o /dev/fd/2 --export=dot -o /dev/fd/2
	expect 'one descriptor has one export' 'grep -q "/dev/fd/2: another export goes there" "$scratch/err"'
	rm x.gmon stdin symbols pipe
	run_gprof --export=csv -o x --export=dot -o ./x
	expect 'one file under two names is numbered' 'grep -q "^function," x && grep -q "^digraph" x.2'
	run_gprof --export=csv -o x
	expect 'an old output is replaced' 'ended_well && [ -s x ]'
	rm x x.2
}

check_sum() {
	cp gmon.out gmon.sum
	run_gprof -s a.out gmon.sum gmon.2
	expect 'gmon.sum is added to' 'ended_well && ! cmp -s gmon.sum gmon.out'
	cp gmon.sum wanted && cp gmon.out gmon.sum
	run_gprof -s a.out ./gmon.sum gmon.2
	expect 'under another name, too' 'ended_well && cmp -s gmon.sum wanted'
	run_gprof -s --export=csv -o gmon.sum
	expect 'no export replaces the sum' 'grep -q "^function," gmon.sum.2 && "$GPROF" -b -p a.out gmon.sum >"$scratch/out"'
	rm gmon.sum gmon.sum.2 wanted
	cp a.out gmon.sum
	keeps gmon.sum -s gmon.sum gmon.out
	rm gmon.sum
	nm a.out >gmon.sum
	keeps gmon.sum -s -S gmon.sum
	rm gmon.sum
}

check_annotated() {
	cat >plain.c <<-'END_OF_SOURCE'
		int leaf(int i) { volatile int s = 0; for (int j = 0; j < i; j++) s += j; return s; }
		int main(void) { return leaf(3000000) == 1; }
	END_OF_SOURCE
	# The file that the first one's annotation would replace is a source of the same program.
	printf '%s\n' '#include "plain.c-ann"' >both.c && cat plain.c >>both.c
	sed -i 's/leaf(3000000) == 1/leaf(3000000) + other(3)/' both.c
	mv both.c plain.c
	echo 'int other(int i) { return i + 1; }' >plain.c-ann
	if ! "$CC" -g -O0 -pg plain.c -o b.out 2>log || ! { ./b.out || true; } || ! [ -s gmon.out ]; then
		tap_note <log
		tap_skip 'files of -y' 'no profiled program can be built'
		return
	fi
	cp plain.c-ann "$scratch/copy"
	run_gprof -A -y b.out
	expect 'kept: a source with the name of a file of -y' \
		'says "plain.c-ann: not replaced, as this run reads it" && cmp -s plain.c-ann "$scratch/copy"'
	cp "$scratch/copy" other.c && sed 's/plain.c-ann/other.c/' plain.c >simple.c
	"$CC" -g -O0 -pg simple.c -o b.out 2>log
	cp gmon.out simple.c-ann
	keeps simple.c-ann -A -y b.out simple.c-ann
}

# --confidence reads each file once more. One that has gone by then costs the part that needs it, and a note says so.
check_gone() {
	what='--confidence: a file that is gone when it is read again'
	can_interfere "$what" || return
	for number in $(seq 1 60); do
		cp gmon.out gone
		"$TOOLS/interfere" openat "$number" 'rm -f gone' "$GPROF" -b -p --confidence a.out gmon.out gmon.2 gone \
			>"$scratch/out" 2>"$scratch/err"
		echo $? >"$scratch/status"
		! grep -q -e 'cannot be read again' -e 'interfere: only' "$scratch/err" || break
	done
	if [ "$(cat "$scratch/status")" = 77 ]; then
		tap_skip "$what" 'this kernel cannot interfere'
		return
	fi
	expect "$what" '[ "$(cat "$scratch/status")" = 0 ] && grep -q work "$scratch/out" &&
		grep -q ": note: gmon.out: cannot be read again, one run at a time, so the intervals do not include differences between runs$" "$scratch/err"'
	rm -f gone
}

enter_work
make_two_profiles
check_gone
check_exports
check_sum
check_annotated
tap_done
