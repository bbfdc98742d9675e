#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Formats: lcov
#
# --export=lcov: lines that basic blocks counted have the counts that the program itself printed; functions those of the
# table of functions, also those that were never called; lines with calls the numbers of these; count=samples those of the
# table of lines. lcov and genhtml read it.
# shellcheck disable=SC2016,SC2317 # conditions are evaluated later, with functions
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/export/lib.sh"

make_program() {
	cat >work.c <<-'END'
		static inline int step(int x);

		__attribute__((noinline)) static int leaf(int x)
		{
			return x / 3;
		}

		__attribute__((noinline)) static int work(int x)
		{
			x = leaf(x);
			for (int i = 0; i < 300; i++)
				x = x / 3 + i;
			return step(x);
		}

		__attribute__((noinline)) int never(int x)
		{
			return work(x);
		}

		static inline int step(int x)
		{
			for (int i = 0; i < 300; i++)
				x = x * 1103515245 + (x % 7);
			return x;
		}

		int main(int argc, char **argv)
		{
			int x = 1;

			(void)argv;
			for (int i = 0; i < 90000; i++)
				x = work(x) + 1;
			x = leaf(x) + leaf(x + 1);
			if (argc > 5)
				x = never(x);
			return x == 42;
		}
	END
	"$CC" -g -O1 -fno-optimize-sibling-calls -pg -o a.out work.c -L"$builddir" -Wl,-rpath,"$builddir" -lgmon 2>said && ./a.out
	[ -s gmon.out ]
}

# count_of LINE: what gprof.info says of a line; nothing if it is not listed.
count_of() {
	sed -n "s/^DA:$1,//p" gprof.info
}

# line_of TEXT: the number of the line of the source that has it.
line_of() {
	grep -n -F "$1" work.c | cut -d : -f 1
}

check_calls() {
	"$GPROF" --export=lcov 2>err
	expect 'its name says what is counted' '[ "$(head -n 1 gprof.info)" = TN:calls ]'
	expect 'a record of one file' '[ "$(grep -c "^SF:.*work\.c$" gprof.info)" = 1 ] && [ "$(grep -c end_of_record gprof.info)" = 1 ]'
	sed -n 's/^FNDA:\([0-9]*\),\(.*\)/\2 \1/p' gprof.info | sort >got
	printf '%s\n' 'leaf 90002' 'main 1' 'never 0' 'step 1' 'work 90000' >wanted
	# The start of the program calls main, which may not be counted: it has a sample then, or what it calls has.
	sed 's/^main [01]$/main 1/' got >counted
	same 'functions and calls' counted wanted
	expect 'a call in a loop' '[ "$(count_of "$(line_of "work(x) + 1")")" = 90000 ]'
	expect 'a call in a function' '[ "$(count_of "$(line_of "x = leaf(x);")")" = 90000 ]'
	expect 'two calls in a line' '[ "$(count_of "$(line_of "leaf(x + 1)")")" = 1 ]'
	expect 'a line of inlined code, seen by samples' '[ "$(count_of "$(line_of "x % 7")")" = 1 ]'
	expect 'a line that was never reached is not listed' '[ -z "$(count_of "$(line_of "x = never(x)")")" ]'
}

# A function was executed if and only if a line was, from its first up to the next function's: lcov from 2.1 on reads
# nothing else.
check_consistent() {
	awk -F '[:,]' '
		/^FN:/ { line[++n] = $2; name[n] = $3 }
		/^FNDA:/ { calls[$3] = $2 }
		/^DA:/ { for (i = n; i > 0 && line[i] > $2; ) i--; for (k = i; k > 0 && line[k] == line[i]; k--) hit[k] += $3 > 0 }
		/^end_of_record/ {
			for (i = 1; i <= n; i++) { if ((calls[name[i]] > 0) != (hit[i] > 0)) print name[i]; hit[i] = 0 }
			all += n; n = 0
		}
		END { if (!all) print "no function" }' gprof.info >said
	expect "$1: functions and lines agree" '[ ! -s said ]'
}

# Sums of the records are those that its last lines say.
check_totals() {
	awk -F '[:,]' '
		/^FN:/ { fn++ } /^FNDA:/ { fnh += $2 > 0 } /^DA:/ { da++; dah += $3 > 0; if ($2 <= last) print "line " $2; last = $2 }
		/^FNF:/ && $2 != fn || /^FNH:/ && $2 != fnh || /^LF:/ && $2 != da || /^LH:/ && $2 != dah { print }
		/^end_of_record/ { fn = fnh = da = dah = last = 0; n++ }
		END { if (!n) print "no record" }' gprof.info >said
	expect "$1: its totals are right" '[ ! -s said ]'
}

check_samples() {
	"$GPROF" --export=lcov,count=samples --export=csv,table=lines -o lines.csv 2>err
	expect 'samples: its name says so' '[ "$(head -n 1 gprof.info)" = TN:samples ]'
	awk -F , 'NR > 1 && $2 > 0 { n[$2] += $6 } END { for (line in n) if (n[line]) print line, n[line] }' lines.csv | sort >wanted
	sed -n 's/^DA:\([0-9]*\),\([1-9][0-9]*\)$/\1 \2/p' gprof.info | sort >got
	same 'samples: of lines' got wanted
	check_totals samples
	check_consistent samples
}

# A data file without calls, of which samples are shown unless calls are asked for.
check_default() {
	rm -f gmon.out
	"$CC" -g -O1 -o a.out work.c 2>said && "$GPROF" --run=keep=gmon.out ./a.out >out 2>said
	"$GPROF" --export=lcov 2>err
	check_consistent 'without calls'
	expect 'without calls: samples' '[ "$(head -n 1 gprof.info)" = TN:samples ]'
	"$GPROF" --export=lcov,count=calls 2>err
	expect 'without calls, asked for them: what was seen' '[ "$(count_of "$(line_of "x % 7")")" = 1 ]'
	expect 'without calls, asked for them: functions' 'grep -qx FNDA:1,work gprof.info && grep -qx FNDA:0,never gprof.info'
}

check_blocks() {
	rm -f a.out
	for blocks in trace-pc,no-prune trace-pc; do # clang's and gcc's
		[ -f a.out ] || "$CC" -g -pg -O0 -fsanitize-coverage=$blocks -o a.out "$srcdir/tests/runtime/programs/blocks.c" \
			-L"$builddir" -Wl,-rpath,"$builddir" -lgmon 2>said
	done
	if ! ./a.out >truth 2>said; then
		tap_skip 'basic blocks' "$CC has no -fsanitize-coverage=trace-pc"
		return
	fi
	"$GPROF" --export=lcov 2>err
	sed -n 's/^DA:\([0-9]*\),\([0-9]*\)$/\1 \2/p' gprof.info | sort >got
	awk '{ if ($2 > most[$1]) most[$1] = $2 } END { for (line in most) print line, most[line] + 0 }' truth | sort | comm -23 - got >missing
	expect 'basic blocks: lines have the counts that the program printed' '[ -s truth ] && [ ! -s missing ]'
	check_totals 'basic blocks'
	check_consistent 'basic blocks'
}

check_readers() {
	if ! command -v lcov >/dev/null; then
		tap_skip 'lcov and genhtml' 'no lcov (Debian package lcov)'
		return
	fi
	lcov --summary gprof.info >said 2>&1
	expect 'lcov reads it: lines' 'grep -q "lines\.*: .*([0-9]* of $(sed -n s/LF://p gprof.info) lines)" said'
	expect 'lcov reads it: functions' 'grep -q "functions\.*: .*(4 of 5 functions)" said'
	genhtml -q -o pages gprof.info >said 2>&1
	expect 'genhtml makes its pages' '[ -s pages/index.html ] && find pages -name "work.c.gcov.html" | xargs grep -q 90000'
}

check_odd() {
	make_hostile
	"$GPROF" --export=lcov 2>err
	expect 'without debug information: a warning' 'grep -q "no source line is known: compile with -g" err && [ "$(cat gprof.info)" = TN:calls ]'
	"$GPROF" --diff=gmon.out --export=lcov 2>err
	expect 'a difference is refused' 'grep -q "lcov cannot show a difference" err'
}

make_scratch
cd "$scratch" || exit 99
unset GMON GMON_OUT_PREFIX
evidence='err said gprof.info got wanted'
[ -f "$builddir/libgmon.so" ] || tap_skip_all 'libgmon is not for this machine'
make_program || tap_skip_all "$CC cannot build the program"
check_calls
check_totals calls
check_consistent calls
check_readers
check_samples
check_default
check_blocks
check_odd
cd "$builddir" || exit 99
tap_done
