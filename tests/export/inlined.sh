#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Formats: folded pprof csv flamegraph
#
# --inlined: paths, self and inclusive times are those that the recorded stacks have when addr2line -i names the
# functions of each address; without stacks, those of bins. The parts of a function add up to what it has without.
# shellcheck disable=SC2016,SC2317 # conditions are evaluated later; functions that expect() calls
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/export/lib.sh"
. "$srcdir/tests/lib/run.sh"
. "$srcdir/tests/lib/frames.sh"

# The paths from main on, with their ticks, by binutils; not those that end in the profiler.
true_paths() {
	"$TOOLS/stackdump" gmon.out symbols | awk '
		NR == FNR { frames[$1] = $0; next }
		$1 == "sample" {
			n = split($5, stack, ";")
			k = split(frames[stack[n]], f, " ")
			if (f[k - 1] !~ /^(main|work|leaf|hidden)$/)
				next
			path = ""
			for (i = 1; i <= n; i++) {
				k = split(frames[stack[i]], f, " ")
				if (f[k - 1] !~ /^(main|work|leaf|hidden)$/)
					continue
				for (j = k - 1; j > 1; j -= 2)
					path = path (path == "" ? "" : ";") f[j] (j < k - 1 ? " (inlined)" : "")
			}
			ticks[path] += $2
		}
		END { for (path in ticks) print path, ticks[path] }' frames - | LC_ALL=C sort
}

# true_times WHICH: "NAME SECONDS" of the paths, self or inclusive, as reports print them.
true_times() {
	awk -v which="$1" '{
			n = $NF
			sub(/ [0-9]+$/, "")
			k = split($0, name, ";")
			split("", seen)
			for (i = which == "self" ? k : 1; i <= k; i++)
				if (!seen[name[i]]++)
					sum[name[i]] += n
		}
		END { for (i in sum) if (sum[i] > 1) printf "%s %.2f\n", i, sum[i] / 250 }' true | LC_ALL=C sort
}

# Name and a column of a report that begins its rows with numbers: "times_of COLUMN".
times_of() {
	awk -v column="$1" '/^ *time /  { on = 1; next } on && /^$/ { exit }
		on { t = $column; sub(/^[ 0-9.]*/, ""); if (t > 0) printf "%s %.2f\n", $0, t }' out | grep -v '^_start' | LC_ALL=C sort
}

check_stacks() {
	true_paths >true
	"$GPROF" --inlined --export=folded -o folded 2>err
	sed 's/^_start;//' folded | awk '{ $NF = $NF / 4000000; print }' | LC_ALL=C sort >got
	evidence='err folded'
	same 'paths are those of addr2line' got true
	expect 'one function is inlined twice over' grep -q '^main;work;outer (inlined);mixed (inlined) ' got
	expect 'and one calls' grep -q '^main;work;caller (inlined);leaf ' got
	run "$GPROF" -b -p --inlined
	true_times self >wanted
	times_of 3 >got
	evidence='out err'
	same 'self times' got wanted
	run "$GPROF" -b --inclusive --inlined
	true_times all >wanted
	times_of 2 >got
	same 'inclusive times' got wanted
	run "$GPROF" -b -p
	awk '{ n = $NF; sub(/ [0-9]+$/, ""); while (sub(/;[^;]*\(inlined\)$/, "")); sub(/.*;/, ""); sum[$0] += n }
		END { for (i in sum) if (sum[i] > 1) printf "%s %.2f\n", i, sum[i] / 250 }' true | LC_ALL=C sort >wanted
	times_of 3 >got
	same 'without the option each function has its parts' got wanted
	run "$GPROF" -b --call-tree --inlined
	expect 'the call tree' grep -q ' outer (inlined)' out
	run "$GPROF" -b -q --inlined
	expect 'calls from inlined code are calls of the inlined function' grep -Eq '1280000/1280000 +caller \(inlined\)' out
	"$GPROF" --inlined --export=pprof -o gprof.pb.gz --export=csv -o csv --export=flamegraph -o graph 2>err
	zcat gprof.pb.gz | "$TOOLS/pprofdump" | sed -n 's/^location [0-9a-f]* //p' | grep '<' >twice
	evidence='twice'
	expect 'pprof: no location has more than one function' '[ ! -s twice ]'
	expect 'csv: where it is' 'grep "^\"mixed (inlined)\"" csv | grep -q "mixed.h\",[34],"'
	expect 'a flame graph' grep -q 'mixed (inlined)' graph
}

# Without stacks.
check_bins() {
	make_pairs
	cut -d' ' -f1 pairs | $symbolizer -afie a.out | awk '
		NR == FNR { ticks[++n] = $2; next }
		/^0x/ { at++; first = 1; next }
		/:/ { next }
		first { inner[at] = $0; last[at] = $0; first = 0; next }
		{ last[at] = $0 }
		END {
			for (i = 1; i <= at; i++)
				if (last[i] ~ /^(main|work|leaf|hidden)$/)
					sum[inner[i] (inner[i] == last[i] ? "" : " (inlined)")] += ticks[i]
			for (name in sum) printf "%s %.2f\n", name, sum[name] / 250
		}' pairs - | grep -v ' 0.00$' | LC_ALL=C sort >wanted
	run "$GPROF" -b -p --inlined --estimated
	times_of 3 | grep -E '^(main|work|leaf|hidden|.* \(inlined\)) ' >got
	evidence='out err'
	same 'self times by bins' got wanted
	"$GPROF" -b -q --estimated >without 2>err
	run "$GPROF" -b -q --inlined --estimated
	expect 'the call graph of calls stays, and a note says so' \
		'cmp -s without out && grep -q "note: --inlined: without call stacks the call graph has no inlined functions" err'
	"$GPROF" --estimated --export=folded -o without 2>err
	"$GPROF" --estimated --inlined --export=folded -o with 2>err
	expect 'so do exports' 'cmp -s without with && grep -q "note: --inlined: without call stacks exports have no inlined" err'
}

check_notes() {
	for report in --inclusive --call-tree; do
		run "$GPROF" -b $report
		expect "$report: a note tells of them" 'grep -q "note: inlined functions have [0-9]* % of the time; --inlined shows them" err'
		run "$GPROF" -b $report --inlined
		expect "$report --inlined: none" '! grep -q "inlined functions have" err'
	done
	run "$GPROF" -b -p -q
	expect 'reports of GNU gprof: none' '[ ! -s err ]'
	run "$GPROF" --top
	evidence='out err'
	expect 'the first screen of call stacks has them' '! grep -q "^! inlined" out && grep -q "  mixed  *inl\." out'
	cp out first
	run "$GPROF" --top --inlined
	expect 'as with --inlined' cmp -s first out
	run "$GPROF" --top --estimated
	expect 'an estimated one tells of them' '! grep -q "inl\." out'
	run "$GPROF" --explain
	expect '--explain tells' 'grep -q "^remark inlined: [0-9]* of [0-9]* samples" out && [ "$status" = 0 ]'
}

check_refused() {
	run "$GPROF" -l --inlined
	expect 'not with -l' '[ "$status" = 1 ] && grep -q "inlined and -l (--line) cannot be combined" err'
	strip -g -o bare a.out
	run "$GPROF" -b -p --inlined bare
	expect 'without debug information it is told' '[ "$status" = 0 ] && grep -q "note: --inlined: there is no debug information (-g) about inlined functions in bare" err'
	"$GPROF" -b -p bare >without 2>err
	expect 'and all is as without' cmp -s without out
}

# What is inlined in a library has the library behind its name, and parts add up there, too.
check_library() {
	mkdir library && cd library || exit 99
	cat >part.c <<-'END'
		static inline __attribute__((always_inline)) unsigned part(unsigned x)
		{
			for (int i = 0; i < 100; i++)
				x = x * 1103515245 + (x % 7);
			return x;
		}

		unsigned whole(unsigned x)
		{
			for (int i = 0; i < 100; i++)
				x = x / 3 + i;
			return part(x);
		}
	END
	cat >main.c <<-'END'
		unsigned whole(unsigned x);

		int main(void)
		{
			unsigned x = 1;

			for (int i = 0; i < 200000; i++)
				x = whole(x);
			return x == 42;
		}
	END
	if ! "$CC" -g -O1 -fPIC -shared part.c -o libpart.so 2>log ||
		! "$CC" -pg -g -O1 main.c "$builddir/libgmon.a" -L. -lpart -Wl,-rpath,"$PWD" -o a.out 2>>log ||
		! GMON=stacks,rate=250 ./a.out; then
		tap_skip 'a library' 'none can be built here'
		cd .. || exit 99
		return
	fi
	run "$GPROF" -b -p --libraries=show
	whole=$(awk '$NF == "whole@libpart.so" { print $3 }' out)
	run "$GPROF" -b -p --libraries=show --inlined
	evidence='out err'
	awk -v whole="$whole" '$NF == "whole@libpart.so" { n += $3 } $0 ~ / part \(inlined\)@libpart.so$/ { n += $3; k++ }
		END { exit k != 1 || (n - whole) ^ 2 > 0.00011 }' out
	tap_check $? "what is inlined in a library; its parts add up to $whole"
	"$GPROF" -b --objects 2>err | sed '/^Flat/,$d' >without
	"$GPROF" -b --objects --inlined 2>>err | sed '/^Flat/,$d' >with
	same 'and are time of the library' with without
	"$GPROF" --libraries=show --inlined --export=folded -o folded 2>err
	evidence='folded err'
	expect 'on stacks' grep -q ';main;whole@libpart.so;part (inlined)@libpart.so [0-9]*$' folded
	run "$GPROF" -b -p --inlined
	expect 'only if libraries are shown' '! grep -q "part (inlined)" out && grep -q "\[libpart.so\]" out'
	cd .. || exit 99
}

# check_entries: --entry of a function without code of its own names what shows it.
check_entries() {
	mkdir -p entries
	cd entries || exit 99
	cat >main.c <<-'END'
		static inline __attribute__((always_inline)) unsigned part(unsigned x)
		{
			return x * 5 + x / 3;
		}

		__attribute__((noipa)) static unsigned whole(unsigned x)
		{
			for (int i = 0; i < 2000; i++)
				x = part(x);
			return x;
		}

		int main(void)
		{
			unsigned x = 1;

			for (int i = 0; i < 50000; i++)
				x = whole(x);
			return x == 42;
		}
	END
	"$CC" -pg -g -O1 main.c "$builddir/libgmon.a" -o a.out 2>log && GMON=stacks,rate=250 ./a.out
	run "$GPROF" --entry=part
	expect '--entry of an inlined function names --inlined' \
		'[ "$status" = 1 ] && [ ! -s out ] && [ "$(wc -l <err)" = 1 ] && grep -q "gprof: --entry: .part. was inlined wherever it is called: --inlined --entry=part shows it$" err'
	run "$GPROF" -b --inlined --entry=part
	expect 'which shows it' '[ "$status" = 0 ] && grep -q "^\[[0-9]*\] .* part (inlined) \[" out'
	rm -f gmon.out.ext
	for inlined in '' --inlined; do
		# shellcheck disable=SC2086 # a word or none
		run "$GPROF" $inlined --entry=part
		expect "without call stacks it names --source${inlined:+, also with --inlined}" \
			'[ "$status" = 1 ] && grep -q "gprof: --entry: .part. was inlined .*: --source=part shows its lines, --top --inlined its time$" err'
	done
	run "$GPROF" --entry=pat
	expect 'what is nowhere is not said to be inlined' '[ "$status" = 1 ] && grep -q "no function .pat. in a.out" err'
	cd .. || exit 99
}

# check_callees: an inlined function whose time is all in what it calls.
check_callees() {
	mkdir -p callees
	cd callees || exit 99
	cat >main.c <<-'END'
		__attribute__((noipa)) static unsigned leaf(unsigned x)
		{
			for (int i = 0; i < 2000; i++)
				x = x * 5 + x / 3;
			return x;
		}

		static inline __attribute__((always_inline)) unsigned caller(unsigned x)
		{
			return leaf(x) + 1;
		}

		int main(void)
		{
			unsigned x = 1;

			for (int i = 0; i < 150000; i++)
				x = caller(x);
			return x == 42;
		}
	END
	"$CC" -pg -g -O1 main.c "$builddir/libgmon.a" -o a.out 2>log && GMON=stacks,rate=250 ./a.out
	run "$GPROF" --top
	expect 'an inlined function that only calls is on the paths of the first screen, or a caller' '! grep -q "^! inlined" out && grep -q "caller" out'
	run "$GPROF" --explain
	expect '--explain tells' 'grep -q "^remark inlined: [0-9]* of [0-9]* samples" out && [ "$status" = 0 ]'
	run "$GPROF" -b --inclusive
	expect 'and so does a note' grep -q 'note: inlined functions have [0-9]* % of the time; --inlined shows them' err
	cd .. || exit 99
}

# check_lineless: instructions of inlined code that the compiler gives to no line are of the function that was inlined, and of
# the line that calls it. clang makes many.
check_lineless() {
	mkdir -p lineless
	cd lineless || exit 99
	cat >padded.h <<-'END'
		static inline __attribute__((always_inline)) void padded(void)
		{
			__asm__ volatile(".loc 1 0\n.rept 4000\nnop\n.endr");
		}
	END
	cat >main.c <<-'END'
		#include "padded.h"

		__attribute__((noinline)) static void whole(void)
		{
			padded();
		}

		int main(void)
		{
			for (int i = 0; i < 1000000; i++)
				whole();
			return 0;
		}
	END
	if ! "${CLANG:-clang}" -pg -g -O1 main.c "$builddir/libgmon.a" -o a.out 2>log || ! GMON=stacks,rate=250 ./a.out; then
		tap_skip 'inlined code without lines' "no clang (Debian package clang) that makes such a program"
		cd .. || exit 99
		return
	fi
	run "$GPROF" -b -p --inlined
	expect 'code without lines is of the function that was inlined' 'awk "/ padded .inlined./ { n = \$1 } END { exit n < 50 }" out'
	run "$GPROF" -b --source=whole
	expect 'and of the line that calls it' 'awk "/ 5 +padded/ { n = \$1 } END { exit n < 50 }" out'
	"$GPROF" --export=pprof -o gprof.pb.gz 2>err
	zcat gprof.pb.gz | "$TOOLS/pprofdump" >out
	expect 'pprof: line 0 of the one, in the line of the other' grep -q '^location [0-9a-f]* 0 | padded < 5 | whole$' out
	cd .. || exit 99
}

make_scratch
cd "$scratch" || exit 99
obstacle=$(frames_obstacle)
if [ -n "$obstacle" ]; then
	tap_skip_all "$obstacle"
elif ! make_inlined; then
	tap_skip_all "no call stacks here, or $CC -pg -no-pie does not work"
fi
make_frames
check_stacks
check_bins
check_notes
check_refused
check_library
check_entries
check_callees
check_lineless
tap_done
