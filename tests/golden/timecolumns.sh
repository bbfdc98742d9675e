#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# -A --time-columns: each line has the samples that addr2line puts there, bin by bin; all else is as without.
# shellcheck disable=SC2016 # conditions for expect
# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
. "$srcdir/tests/lib/run.sh"
. "$srcdir/tests/lib/build.sh"
. "$srcdir/tests/lib/frames.sh"

# A program with code of a header in its functions, and its profile. Fails if there can be none.
make_hot() {
	cat >step.h <<-'END'
		static inline unsigned step(unsigned x)
		{
			for (int i = 0; i < 300; i++)
				x = x * 1103515245 + (x % 7);
			return x;
		}
	END
	cat >hot.c <<-'END'
		#include "step.h"

		__attribute__((noinline)) unsigned work(unsigned x)
		{
			for (int i = 0; i < 300; i++)
				x = x / 3 + i;
			return step(x);
		}

		int main(void)
		{
			unsigned x = 1;
			for (int i = 0; i < 100000; i++)
				x = work(x);
			return x == 42;
		}
	END
	"$CC" -pg -g -O1 -fno-pie -no-pie -o a.out hot.c 2>said && ./a.out && [ -s gmon.out ]
}

# Prints the samples of each line by the bins of gmon.out, "FILE LINE SAMPLES"; into `account' go those of all code and
# those of code without lines, in seconds.
bin_lines() {
	make_pairs
	cut -d' ' -f1 pairs | addr2line -e a.out | sed 's/ (disc.*//; s/.*\///; s/:/ /' | paste -d' ' - pairs | awk '
		{ all += $4 }
		$2 + 0 > 0 { sum[$1 " " $2] += $4; next }
		{ without += $4 }
		END { for (at in sum) printf "%s %.1f\n", at, sum[at]; printf "%.2f %.3f\n", all / 100, without / 100 >"account" }' | sort
}

# The same as the columns have it: of FILE, and in the table of other files.
shown_lines() {
	awk -v file="$1" '
		/^\*\*\* File/ { n = 0; on = $0 ~ file ":$" ; next }
		/^ % time .*calls$/ { in_text = 1; next }
		/^Top 10 Lines/ { in_text = 0 }
		in_text { n++; if (on && substr($0, 1, 26) !~ /^ *$/) printf "%s %d %.1f\n", file, n, substr($0, 19, 8) }
		/^Code of other files/ { others = 1 }
		others && $4 ~ /:/ { split($4, at, ":"); printf "%s %d %.1f\n", at[1], at[2], $3 }' out | sort
}

make_scratch
cd "$scratch" || exit 99
if ! command -v addr2line >/dev/null; then
	tap_skip_all 'no addr2line (Debian package binutils)'
elif ! make_hot; then
	tap_skip_all "$CC -pg -no-pie does not work here"
fi
bin_lines | awk '$3 != "0.0"' >wanted
"$GPROF" -A >plain
run "$GPROF" -A --time-columns
shown_lines hot.c >got
# The columns have no decimals where these are less than 0.05.
awk 'NR == FNR { n[$1 " " $2] = $3; next }
	{ at = $1 " " $2; d = n[at] - $3; if (!(at in n) || d * d > 0.011) print at, n[at], $3; delete n[at] }
	END { for (at in n) print at, "is not shown" }' wanted got >differences
check 'the samples of each line are those of addr2line' "$(cat differences)"
expect 'and code of the header is among them' grep -q '^step.h' got
expect 'which is in work()' grep -q ' step\.h:[34] in work$' out
expect 'nothing is said' '[ ! -s err ] && [ "$status" = 0 ]'
sed '/^ % time .*calls$/d; /^Lines with most time/,$d' out | awk '/^Top/ { done = 1 }
	{ if (!done && NR > 1) $0 = substr($0, 28); print }' | sed '$d' >without
same 'without the columns it is the text without the option' without plain
# A sample may have hit code of the C library's at the start or end, which has no lines; or bytes that a function shares
# with the padding before it: half of the sample is the padding's.
read -r total without <account
expect 'the account has all time' grep -q "^Of $total seconds, " out
sed -En 's/^Of .* on the lines above, .* on other lines \(mostly step.h [0-9.]+\), (.*) in code without .*/\1/p' out |
	awk -v without="$without" '{ off = $1 - without } END { if (NR != 1 || off * off > 0.006 ^ 2) print NR " lines, off by " off }' >off
check 'and where it is' "$(cat off)"

cp out asked
run "$GPROF" --time-columns
same 'the option asks for the report' out asked
run "$GPROF" -A -l --time-columns
mv out lines
cp lines out
{ shown_lines step.h; } >got
expect 'with -l, the header has a text with times, too' '[ "$(grep -c "File.*step.h:" lines)" = 1 ] && grep -q "^step.h" got'
run "$GPROF" -A -y --time-columns
expect 'in files of their own' '[ -s hot.c-ann ] && head -n 1 hot.c-ann | grep -q "% time.*calls"'
run "$GPROF" -A --time-columns -J
expect 'unless it is declined' '! grep -q "File" out'
printf 'gmon\1\0\0\0............' >none
run "$GPROF" --time-columns a.out none
expect 'without samples it is refused' '[ "$status" = 1 ] && [ ! -s out ] && grep -q "none: missing histogram: no samples for --time-columns" err'
tap_done
