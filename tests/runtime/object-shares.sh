#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The time of each object: what a program measures itself of its own work and of libm, and for inclusive time the
# instructions that callgrind counts. Bounds are five deviations of so many samples, more of
# late ones; how many it is, is printed.
# shellcheck disable=SC2016,SC2034,SC2317 # conditions are evaluated later
. "${srcdir:-$(dirname "$0")/../..}/tests/runtime/lib.sh"

make_scratch
cd "$scratch" || exit 99
unset GMON

# compare: of lines "SHARE PART WHAT", the true part of a whole that has $samples, those that are off by more; prints all.
compare() {
	awk -v samples="$samples" -v late="$late" '{
		sigma = sqrt(late * samples * $2 * (1 - $2))
		off = ($1 - $2) * samples
		printf "%-22s %5.1f %% of %d samples, truly %5.1f %%: %5.2f sigma\n", $3, 100 * $1, samples, 100 * $2, off / sigma
		if (off > 5 * sigma + late || off < -5 * sigma - late) wrong = 1
	} END { exit wrong || NR == 0 }' >compared
	compared=$?
	tap_note <compared
	return $compared
}

# Most in libm, the rest its own.
cat >main.c <<-'END'
	#include <math.h>
	#include <stdio.h>
	#include <time.h>
	static volatile double sink;
	static double now(void) { struct timespec t; clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t); return t.tv_sec + t.tv_nsec / 1e9; }
	__attribute__((noinline)) static void own(double x) { for (int i = 0; i < 500000; i++) sink = sink * 0.5 + x; }
	int main(void)
	{
		double in_libm = 0, in_own = 0;
		while (in_libm + in_own < 1.5) {
			double a = now(), b, c, x = sink;
			own(x);
			b = now();
			/* What stays in the loop itself is little. Each part is longer than a tick (programs/used.h). */
			for (int i = 0; i < 40000; i++) sink = pow(lgamma(i + 1.5), tgamma(sin(x) + 2.5));
			c = now();
			in_own += b - a;
			in_libm += c - b;
		}
		printf("%g %g\n", in_libm, in_own);
		return 0;
	}
END
what='a program that works in libm'
must_build libm "$CC" -O1 -g -fno-builtin ../main.c -lm || tap_done
run "$GPROF" -b --objects -P -Q -o - --run=rate=250,verbose,keep=gmon.libm libm/a.out
read -r in_libm in_own <out
cpu=$(sed -n 's/.*, \([0-9]*\) ms of CPU time.*/\1/p' err)
samples=$(sed -n 's/^Each sample.*; \([0-9]*\) samples, .*/\1/p' out)
late=$(lateness gmon.libm)
sed -n '/^Objects/,$p' out >objects
tap_note <objects
expect 'the objects add up to the processor time' '[ -n "$cpu" ] && awk -v cpu="$cpu" "
	(NF == 6 || /unknown time/) && \$2 ~ /^[0-9.]+\$/ { sum += \$2 } END { d = sum - cpu / 1000; exit !(d * d <= (0.03 + cpu / 1e5) ^ 2) }" objects'
awk -v in_libm="$in_libm" -v in_own="$in_own" '
	$NF ~ /^libm\.so/ { print $1 / 100, in_libm / (in_libm + in_own), $NF }
	$NF == "a.out" { print $1 / 100, in_own / (in_libm + in_own), $NF }' objects >shares
expect 'libm and the program: both are there' '[ "$(wc -l <shares)" = 2 ]'
compare <shares
tap_check $? 'each has the time that the program measures'

# A library that calls another, which is called from the program, too; an equal loop in each.
command -v callgrind_annotate >/dev/null || {
	tap_skip 'inclusive times of objects are those of callgrind' 'no callgrind: install Debian package valgrind'
	tap_done
	exit
}
cat >work.h <<-'END'
	static volatile double sink;
	#define WORK(n) for (int i = 0; i < (n); i++) sink = sink * 0.5 + x
END
printf '#include "work.h"\nvoid inner(double x) { WORK(500); }\n' >inner.c
printf '#include "work.h"\nvoid inner(double);\nvoid outer(double x) { WORK(400); inner(x); }\n' >outer.c
cat >both.c <<-'END'
	#include <stdlib.h>
	#include "work.h"
	void inner(double);
	void outer(double);
	__attribute__((noinline)) static void own(double x) { WORK(300); }
	int main(int argc, char **argv)
	{
		for (int i = atoi(argv[argc - 1]); i > 0; i--) {
			own(i);
			outer(i);
			inner(i);
		}
		return 0;
	}
END
what='a program with two libraries'
"$CC" -O1 -g -fPIC -shared -o libinner.so inner.c
"$CC" -O1 -g -fPIC -shared -o libouter.so outer.c ./libinner.so
must_build both "$CC" -O1 -g ../both.c "$scratch/libouter.so" "$scratch/libinner.so" -Wl,-rpath-link,.. || tap_done
run "$GPROF" -b --inclusive --libraries=object -o - --run=rate=250,keep=gmon.both both/a.out 500000
samples=$(sed -n 's/^Each sample.*; \([0-9]*\) samples, .*/\1/p' out)
late=$(lateness gmon.both)
awk '/ time .*name$/ { on = 1; next } /^$/ { on = 0 } on && $1 > 0 { print $1 / 100, $NF }' out >inclusive
"$GPROF" -b --objects -P -Q both/a.out gmon.both 2>/dev/null | awk '$2 ~ /^[0-9.]+$/ { print $1 / 100, $NF }' >self
if ! valgrind -q --tool=callgrind --callgrind-out-file=counted both/a.out 2000 >/dev/null 2>err; then
	tap_skip 'inclusive times of objects are those of callgrind' "callgrind fails: $(head -n 1 err)"
	tap_done
	exit
fi
for kind in yes no; do
	callgrind_annotate --auto=no --inclusive=$kind --threshold=100 counted | tr -d , |
		sed -n 's/^ *\([0-9]*\) ([^)]*) *[^ ]*:\([a-z]*\) \[.*\/\([a-z.]*\)\]$/\1 \2 \3/p' >counted.$kind
done
all=$(awk '$2 == "main" { print $1 }' counted.yes)
expect 'callgrind has counted' '[ "${all:-0}" -gt 10000000 ]'
# Each library has one way in.
awk -v all="$all" 'NR == FNR { part[$2] = $1 / all; next }
	$2 == "[libinner.so]" { print $1, part["inner"], "inclusive:" $2 }
	$2 == "[libouter.so]" { print $1, part["outer"], "inclusive:" $2 }' counted.yes inclusive >shares
expect 'both libraries are there' '[ "$(wc -l <shares)" = 2 ]'
compare <shares
tap_check $? 'inclusive times of objects are those of callgrind'
awk -v all="$all" '
	NR == FNR { part[$3] += $1 / all; next }
	$2 in part && part[$2] > 0.01 { print $1, part[$2], "self:" $2 }' counted.no self >shares
expect 'so are all three objects' '[ "$(wc -l <shares)" = 3 ]'
compare <shares
tap_check $? 'and so are their own times'
cd "$builddir" || exit 99
tap_done
