#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# --ranks of four processes that have ranks as MPI numbers them: rank 2 has five times the work of the others in one
# function, rank 0 alone calls another. Work is CPU time, so it is that at any load.
# shellcheck disable=SC2016,SC2317 # conditions are evaluated later
. "${srcdir:-$(dirname "$0")/../..}/tests/runtime/lib.sh"

make_scratch ranks
cat >"$scratch/ranks.c" <<'E2'
#include <stdlib.h>
#include <time.h>

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

#define WORK(name) \
	__attribute__((noinline)) void name(double seconds) \
	{ \
		for (double end = now() + seconds; now() < end;) \
			for (volatile int i = 0; i < 20000; i++) \
				; \
	}
WORK(solve_rows)
WORK(pack_halo)
WORK(write_checkpoint)

int main(int argc, char **argv)
{
	int rank = atoi(getenv("PMI_RANK")), times = argc > 1 ? atoi(argv[1]) : 1;

	for (int i = 0; i < 4; i++) {
		solve_rows((rank == 2 ? 0.25 : 0.05) * times);
		pack_halo(0.02 * times);
	}
	if (rank == 0)
		write_checkpoint(0.3 * times);
	return 0;
}
E2
if ! build ranks "$CC" -O1 -pg "$scratch/ranks.c" "$builddir/libgmon.a" -ldl -lpthread; then
	tap_skip_all "$CC -pg does not work here"
fi
cd "$scratch/ranks" || exit
# A machine that looks at threads late makes noise: then all of them work so many times longer until it is as little.
for times in 1 2 4 8 16; do
	late=0
	for rank in 0 1 2 3; do
		PMI_RANK=$rank GMON=stacks,file=prof.%r.out ./a.out $times || exit
		[ "$(lateness prof.$rank.out | cut -d. -f1)" -lt $((2 * times)) ] || late=1
	done
	[ $late = 1 ] || break
done

# row NAME: the row of a function.
row() {
	sed -n "/ [* ] $1\$/p" out
}

run "$GPROF" -b --ranks=ranks=prof.%r.out,calls a.out prof.*.out
expect 'the function in which one rank has more work is the first row' 'sed -n "/^ *[0-9]/{p;q;}" out | grep -q " \* solve_rows$"'
expect 'with the rank that has the most' 'row solve_rows | grep -q "^ *[0-9.]* *[0-9.]* *[0-9.]* *[0-9.]* *2 "'
expect 'a function of one rank: imbalance 100 %' 'row write_checkpoint | grep -q " 0.00 .* 100.0 .* \* write"'
expect 'its mean is a fourth' 'row write_checkpoint | awk "{ exit !(\$1 / 4 - \$2 < 0.006 && \$2 - \$1 / 4 < 0.006) }"'
expect 'calls are exact' 'row solve_rows | grep -q " 4\.0  *4  *4 " && row write_checkpoint | grep -q " 0\.2  *0  *1 "'
run "$GPROF" -b --ranks=inclusive a.out prof.*.out
expect 'inclusive: main has all' '[ "$(row main | awk "{ print \$1 }")" = "$(awk "/^ *[0-9]/ { print \$1 }" out | sort -n | tail -n 1)" ]'
cp out inclusive
run "$GPROF" -b --ranks --measured a.out prof.*.out
same 'the same with --measured' out inclusive
run "$GPROF" -b --ranks=threads a.out prof.2.out prof.0.out
expect 'threads are ranks' 'grep -q "^Ranks: 2 threads of " out && grep -q "a.out ([0-9]*) of prof.2.out" out'
run "$GPROF" -b --ranks=outliers,ranks=prof.%r.out a.out prof.*.out
expect 'outliers: rank 2, with what is odd in it' 'sed -n "/^ *2 .* +[0-9]*\.[0-9]* solve_rows/p" out | grep -q .'
run "$GPROF" -b --ranks --estimated a.out prof.*.out
expect 'without stacks, files are read once more' 'grep -q "^ .* prof.2.out .* \* solve_rows$" out'
run sh -c 'cat prof.0.out | "$0" --ranks --estimated a.out - prof.1.out' "$GPROF"
expect 'a pipe cannot be read twice' '[ $status -eq 1 ] && grep -q "cannot be read twice" err && [ ! -s out ]'
run "$GPROF" --ranks a.out prof.1.out
expect 'one profile is not enough' '[ $status -eq 1 ] && grep -q "needs two or more profiles" err'
run "$GPROF" -s -o all.sum a.out prof.*.out
run "$GPROF" -b --ranks=threads a.out all.sum
expect 'a sum has the call stacks of all beside it' '[ -s all.sum.ext ] && grep -q "^Ranks: 4 threads of " out'
cp all.sum prof.sum && cp all.sum.ext prof.sum.ext
run "$GPROF" -b --ranks a.out prof.*
expect 'prof.*: files of call stacks go with theirs, and a sum is no rank' \
	'grep -q "^Ranks: 4 profiles of " out && ! grep -q sum out && [ "$(cat err)" = "$GPROF: note: prof.sum: left out of the ranks, because it is a sum: it has call stacks of several recordings" ]'
run "$GPROF" -b --ranks --export=webpage -o page.html a.out prof.*
expect 'a page with it says so no second time' '[ -s page.html ] && [ "$(grep -c "left out of the ranks" err)" = 1 ]'
run "$GPROF" -b --export=webpage -o page.html a.out prof.*
expect 'but alone it does' '[ "$(grep -c "left out of the ranks" err)" = 1 ]'
run "$GPROF" -b --ranks=threads a.out prof.*
expect 'nor are its threads ranks' 'grep -q "^Ranks: 4 threads of " out'
rm prof.sum.ext
run "$GPROF" -b --ranks --estimated a.out prof.*
expect 'without call stacks, its name tells' \
	'grep -q "^Ranks: 4 profiles of " out && grep -q "prof.sum: left out of the ranks, because it is a sum: its name ends in .sum$" err'
cp prof.1.out bare
run "$GPROF" -s -o prof.mixed a.out prof.0.out bare
run "$GPROF" -b --ranks --estimated a.out prof.?.out prof.mixed
expect 'of a sum that has call stacks of some, these tell' \
	'grep -q "^Ranks: 4 profiles of " out && grep -q "prof.mixed: left out of the ranks, because it is a sum: it has call stacks of several recordings$" err'
run "$GPROF" -b --ranks --estimated a.out all.sum prof.sum
expect 'sums alone are ranks' 'grep -q "^Ranks: 2 profiles of " out && [ ! -s err ]'
run "$GPROF" -b --ranks a.out prof.sum prof.1.out
expect 'one profile and a sum of it are not enough' '[ $status -eq 1 ] && [ ! -s out ] && grep -q "needs two or more profiles" err'
rm prof.sum
run "$GPROF" -b --ranks --clock=off a.out prof.*.out
expect 'waiting that was not recorded' '[ $status -eq 1 ] && grep -q "no waiting in prof.3.out: GMON=clock=wall" err'
run "$GPROF" -s -o - a.out prof.*.out
expect 'standard output has no place for these, as a line says' \
	'[ $status -eq 0 ] && [ -s out ] && grep -q "call stacks are left out" err && [ "$(wc -l <err)" -eq 1 ]'
tap_done
