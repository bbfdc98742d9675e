#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# --source: the times of lines are those that addr2line gives to the addresses on the recorded stacks, or in bins, and
# add up to the function's; what is shown of lines; and that on a terminal no line is longer than that.
# shellcheck disable=SC2016 # conditions for expect
# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
. "$srcdir/tests/lib/run.sh"
. "$srcdir/tests/lib/build.sh"
. "$srcdir/tests/lib/frames.sh"

# A program with recursion, callers of callers, and code that is inlined twice over. Fails if there can be none.
make_deep() {
	cat >deep.c <<-'END'
		#define LOOP(n) for (int i = 0; i < (n); i++)
		static inline __attribute__((always_inline)) unsigned step(unsigned x)
		{
			LOOP(200)
				x = x * 1103515245 + (x % 7);
			return x;
		}

		static inline __attribute__((always_inline)) unsigned twice(unsigned x)
		{
			x = step(x) / 3;
			return step(x + 1);
		}

		static inline __attribute__((always_inline)) unsigned inner(unsigned x) { LOOP(100) x = x * 3 + (x % 7); return x; } static inline __attribute__((always_inline)) unsigned around(unsigned x) { return inner(x); }

		__attribute__((noinline)) unsigned leaf(unsigned x)
		{
			LOOP(100)
				x = x / 3 + i;
			return x;
		}

		__attribute__((noinline)) unsigned deep(unsigned x, int n)
		{
			unsigned long_name_of_a_variable_that_makes_this_line_wider_than_a_terminal_of_eighty_columns = n;
			if (long_name_of_a_variable_that_makes_this_line_wider_than_a_terminal_of_eighty_columns == 0)
				return twice(x);
			x = leaf(x);
			x = deep(x, n - 1); /* \033[31m */
			return x + leaf(x) + 1;
		}

		int main(void)
		{
			unsigned x = 1;
			LOOP(120000)
				x = deep(x, 3) + twice(x) + around(x);
			return x == 42;
		}
	END
	printf '%s\n' "s/[\\]033/$(printf '\033')/" >edit
	sed -f edit deep.c >edited && mv edited deep.c
	"$CC" -pg -g -O1 -fno-pie -no-pie -o a.out deep.c "$builddir/libgmon.a" 2>said &&
		GMON=stacks,rate=250 ./a.out && [ -s gmon.out ] && [ -s gmon.out.ext ]
}

# stack_lines FUNCTION: "LINE SELF INCLUSIVE" in seconds, by the recorded stacks that do not end in the profiler; not of code
# without lines.
stack_lines() {
	"$TOOLS/stackdump" gmon.out symbols | awk -v wanted="$1" '
		NR == FNR { frames[$1] = $0; next }
		$1 == "sample" {
			n = split($5, stack, ";")
			k = split(frames[stack[n]], f, " ")
			if (f[k - 1] !~ /^(main|deep|leaf)$/)
				next
			split("", seen)
			for (i = 1; i <= n; i++) {
				k = split(frames[stack[i]], f, " ")
				for (j = 2; j < k; j += 2) {
					if (f[j] != wanted || f[j + 1] + 0 == 0)
						continue
					if (!(f[j + 1] in seen))
						all[f[j + 1]] += $2
					seen[f[j + 1]] = 1
					if (i == n && !is_self[FNR]++)
						self[f[j + 1]] += $2
				}
			}
		}
		END { for (line in all) if (all[line]) printf "%d %.2f %.2f\n", line, self[line] / 250, all[line] / 250 }' frames - | sort -n
}

# The same as it is shown, on lines of the source.
shown_lines() {
	awk '/^ time .*line/ { at = index($0, " line") + 5; calls = index($0, "calls"); on = 1; next }
		on && /^$/ { on = 0 }
		on && substr($0, 15, 7) ~ /[0-9]/ && substr($0, at - 4, 4) ~ /[0-9]/ {
			self = substr($0, 7, 7)
			printf "%d %.2f %.2f\n", substr($0, at - 4, 4), self, substr($0, 15, 7)
		}' out | sort -n
}

check_stacks() {
	for function in deep leaf twice step main; do
		run "$GPROF" -b --source=$function
		stack_lines $function >wanted
		shown_lines >got
		evidence='out err'
		same "lines of $function by call stacks" got wanted
	done
	expect 'there are some' [ -s got ]
	run "$GPROF" -b --source=deep
	self=$("$GPROF" -b -p | awk '$NF == "deep" { print $3 }')
	all=$("$GPROF" -b --inclusive | awk '$NF == "deep" { print $2 }')
	expect "the head has the function's times, $self and $all" grep -q "^  $self seconds self (.* %), $all inclusive (" out
	expect 'and calls' grep -q '^  called [1-9]' out
	expect 'the samples' grep -Eq '^[0-9]+ samples, [0-9.]+ % of complete stacks' out
	expect 'calls stand at their lines' 'grep -Eq "[0-9] +360000 +[0-9]+ +x = deep\(x, n - 1\)" out'
	sum=$(awk '/^ time/ { on = 1; next } on && !/\|/ { n += substr($0, 7, 7) } END { printf "%.2f", n }' out)
	expect "the lines add up to it: $sum" 'awk "BEGIN { d = $sum - $self; exit d * d > 0.002 }"'
	expect 'what was inlined is named' grep -q '| inlined: twice$' out
	run "$GPROF" -b --source=around --source=inner
	stack_lines inner >wanted
	shown_lines >got
	same 'functions of one line count once' got wanted
	expect 'and are told to be two' grep -q '^[a-z]* and 1 more of the same lines' out
	run "$GPROF" -b --source=step
	expect 'an inlined function is found, and told so' '[ "$status" = 0 ] && grep -q "^  [0-9.]* of self in code that was inlined" out'
}

# Without stacks.
check_bins() {
	make_pairs
	cut -d' ' -f1 pairs | $symbolizer -afie a.out | sed 's/ (disc.*//; s/^.*:/:/' | awk '
		NR == FNR { ticks[++n] = $2; next }
		/^0x/ { at++; next }
		/^:/ { if (name == "deep") line[substr($0, 2)] += ticks[at]; next }
		{ name = $0 }
		END { for (l in line) if (l > 0) printf "%d %.2f\n", l, line[l] / 250 }' pairs - | grep -v ' 0.00$' | sort -n >wanted
	run "$GPROF" -b --estimated --source=deep
	awk '/^ time/ { at = index($0, " line") + 5; on = 1; next }
		on && substr($0, 7, 7) ~ /[0-9]/ && substr($0, at - 4, 4) ~ /[0-9]/ {
			printf "%d %.2f\n", substr($0, at - 4, 4), substr($0, 7, 7) }' out | grep -v ' 0.00$' | sort -n >got
	evidence='out err'
	same 'lines of deep by bins' got wanted
	expect 'without stacks there are no inclusive times' '! grep -q incl out && grep -q "^Self times are measured; without call stacks" out'
}

check_shown() {
	run "$GPROF" -b --source=deep
	sed -n '/^ time/,$p' out >whole
	expect 'the whole function' 'grep -q "unsigned deep(unsigned x, int n)" whole && grep -v "|" whole | tail -n 1 | grep -q "}$"'
	run "$GPROF" -b --source=deep,context=0
	awk '/^ time/ { on = 1; next } on && !/^ *\.\.\. / && !/[0-9]\.[0-9]/' out >plain
	expect 'context=0: lines with time alone' '[ ! -s plain ]'
	expect 'and a mark where there were others' grep -Eq '^ +\.\.\. [0-9]+ lines?$' out
	marked=$(awk '/^ *\.\.\. / { n += $2 } /^ time/ { on = 1; next } on && !/\.\.\. / && !/\|/ { n++ } END { print n }' out)
	expect "none is lost: $marked" '[ "$marked" = "$(grep -vc "|\|^ time" whole)" ]'
	run "$GPROF" -b --source=deep.c:20
	expect 'a line' grep -qx leaf out
	last=$(awk '$2 == "leaf" { line = $3 } END { print line }' frames)
	run "$GPROF" -b --source=deep.c:"$last"
	expect "the line of a function's last instruction, $last" grep -qx leaf out
	run "$GPROF" -b --source=deep.c
	expect 'a file' 'grep -qx leaf out && grep -qx deep out && grep -qx step out'
	run "$GPROF" --source=deap
	expect 'a name that is none' '[ "$status" = 1 ] && [ ! -s out ] && grep -q "^[^ ]*: --source: no function .deap. in a.out; did you mean .deep.?" err && [ "$(wc -l <err)" = 1 ]'
	run "$GPROF" --source=deep,context=many
	expect 'a context that is none' '[ "$status" = 1 ] && grep -q "context must be a whole number from 0" err'
	run "$GPROF" -b -p
	mv out without
	run "$GPROF" -b -p --source=deep
	expect 'other reports stay as they are' 'head -n "$(wc -l <without)" out | cmp -s - without'
}

# Addresses in place of the text: of each line, those that addr2line gives it.
check_addresses() {
	mkdir -p away && mv deep.c away
	run "$GPROF" -b --source=leaf
	expect 'a source that is not there is told' '[ "$status" = 0 ] && grep -q "deep.c: source not found" err'
	awk '/^ time/ { at = index($0, " line") + 5; on = 1; next }
		on { for (i = split(substr($0, at), range, " "); i > 0; i--) { split(range[i], end, "-"); print "0x" end[1], substr($0, at - 4, 4) + 0; print "0x" end[2], substr($0, at - 4, 4) + 0 } }' out >got
	cut -d' ' -f1 got | $symbolizer -e a.out | sed 's/ (disc.*//; s/.*://' | paste -d' ' got - | awk '$2 != $3' >differences
	check 'addresses are of their lines' "$(cat differences)"
	expect 'there are some' [ -s got ]
	run "$GPROF" -b --source=leaf -I away
	expect 'unless -I finds it' grep -q 'unsigned leaf(unsigned x)' out
	mv away/deep.c .
	strip -g -o bare a.out
	run "$GPROF" -b --source=leaf bare
	expect 'without debug information' 'grep -q "code whose source line is not known" out && grep -q "^  [0-9.]* seconds self" out'
}

# The program may have been built again since.
check_build() {
	evidence='out err'
	run "$GPROF" -b --source=deep a.out gmon.out
	expect 'the build that was recorded: nothing is said' [ ! -s err ]
	"$CC" -pg -g -O1 -fno-pie -no-pie -Wl,--build-id=0x1234 -o other deep.c "$builddir/libgmon.a" 2>said
	run "$GPROF" -b --source=deep --export=folded -o folded other gmon.out
	expect 'another one: that is told once' \
		'[ "$status" = 0 ] && [ "$(grep -c "warning: other: is another build than the recorded one" err)" = 1 ]'
}

# wide WIDTH: lines in `shown' that are wider than that.
wide() {
	expand shown | sed "s/$(printf '\033')\[[0-9;]*m//g" | awk -v n="$1" 'length($0) > n'
}

check_terminal() {
	if ! "$TOOLS/pty" true 2>/dev/null; then
		tap_skip 'a terminal' 'there are no pseudo-terminals'
		return
	fi
	TERM=xterm
	export TERM
	for width in 80 120; do
		"$TOOLS/pty" -w $width "$GPROF" --source=deep.c -z </dev/null >shown 2>err
		check "no line is wider than a terminal of $width" "$(wide $width)"
	done
	"$TOOLS/pty" -w 80 "$GPROF" -b --source=deep </dev/null >shown 2>err
	evidence='shown err'
	expect 'a long line ends with a mark' grep -q 'unsigned long_name.*\.\.\.' shown
	expect 'a control character is shown' 'grep -qF "/* \\033[31m */" shown'
	expect 'a line with much time has a colour' 'tr "\033" "^" <shown | grep -q "^^\[0;1;31m.*return twice(x);.*^\[0m"'
	run "$GPROF" -b --source=deep
	expect 'in a pipe nothing is cut' 'grep -q "unsigned long_name.* = n;" out && ! grep -q "\.\.\.$" out'
}

make_scratch
cd "$scratch" || exit 99
obstacle=$(frames_obstacle)
if [ -n "$obstacle" ]; then
	tap_skip_all "$obstacle"
elif ! make_deep; then
	tap_skip_all "no call stacks here, or $CC -pg -no-pie does not work"
fi
make_frames
check_stacks
check_bins
check_shown
check_addresses
check_build
check_terminal

# C++ names, by their last components.
cat >table.cc <<-END
	namespace ns {
	struct Table {
	 int v[64];
	 __attribute__((noinline)) int &operator[](int i) { for (volatile int k = 0; k < 100; k++); /* here */ return v[i & 63]; }
	};
	}
	int main() { ns::Table t {}; long s = 0; for (int i = 0; i < 300000; i++) s += t[i]; return s & 1; }
END
if build . g++ -g -O1 table.cc; then
	"$GPROF" -o flat --run=keep=table.gmon ./a.out 2>err
	for name in 'operator[]' Table Table::operator[]; do
		"$GPROF" -b --source="$name" table.gmon >said 2>err
		expect "--source=$name finds a member by the last components of its name" 'grep -q "^ns::Table::operator" said && grep -q "^ *[1-9][0-9.]* .* here" said'
	done
else
	tap_skip 'C++ names' 'no C++ compiler'
fi
tap_done
