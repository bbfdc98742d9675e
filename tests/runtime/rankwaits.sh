#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# --ranks with other clocks, of four real ranks of MPI: rank 2 has more work than the others, who are blocked until it
# comes. Its work is CPU time and the waiting of the others has no bound, so load makes them wait longer, not it.
# shellcheck disable=SC2016,SC2034,SC2317 # conditions are evaluated later
. "${srcdir:-$(dirname "$0")/../..}/tests/runtime/lib.sh"
. "$srcdir/tests/lib/mpi.sh"

has_mpi || tap_skip_all 'no MPI: install Debian packages openmpi-bin and libopenmpi-dev'
make_scratch
cd "$scratch" || exit 99
cat >waits.c <<'E2'
#include <mpi.h>
#include <time.h>
#include <unistd.h>

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

__attribute__((noinline)) void compute(double seconds)
{
	for (double end = now() + seconds; now() < end;)
		for (volatile int i = 0; i < 20000; i++)
			;
}

/* Open MPI's own waiting keeps the processor busy. */
__attribute__((noinline)) void wait_for_all(void)
{
	MPI_Request request;
	int done = 0;

	MPI_Ibarrier(MPI_COMM_WORLD, &request);
	while (MPI_Test(&request, &done, MPI_STATUS_IGNORE) == MPI_SUCCESS && !done)
		usleep(5000);
}

int main(int argc, char **argv)
{
	int rank;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Barrier(MPI_COMM_WORLD);
	for (int i = 0; i < 3; i++) {
		compute(rank == 2 ? 0.8 : 0.01);
		wait_for_all();
	}
	return MPI_Finalize();
}
E2
mpicc -O1 -g -pg -o a.out waits.c "$builddir/libgmon.a" 2>log || tap_skip_all "mpicc cannot build: $(head -n 1 log)"
run env GMON=stacks,clock=wall,file=prof.%r.out mpirun -n 4 ./a.out
expect 'four ranks leave their profiles' '[ "$status" = 0 ] && [ -s prof.0.out.ext ] && [ -s prof.3.out.ext ]'
if grep -q 'clock=wall' err; then
	tap_skip 'waiting by rank' "no waiting can be recorded here: $(head -n 1 err)"
	tap_done
	exit
fi

# column N NAME: a word of the row of a function.
column() {
	awk -v n="$1" -v name="$2" '$NF == name { print $n }' out
}

# part A B PERCENT: whether A is at most so much of B.
part() {
	awk -v a="$1" -v b="$2" -v percent="$3" 'BEGIN { exit !(b > 0 && a <= b * percent / 100) }'
}

evidence='out err'
run "$GPROF" -b --ranks=inclusive,ranks=prof.%r.out --clock=off a.out prof.*
expect 'the head says whose clock, who waits least, and why nothing is marked' \
	'grep -q "^Ranks: 4 profiles of .* seconds of waiting (.*, rank 2 \.\. .*, rank [013])$" out &&
	grep -q "^Measured by the clock, not sampled.*: no row is marked\.$" out && ! grep -q "\*" out'
expect 'all others wait for rank 2' '[ "$(column 4 wait_for_all)" = 2 ] && [ "$(column 6 wait_for_all)" != 2 ]'
expect 'it waits a fourth of the mean at most' 'part "$(column 3 wait_for_all)" "$(column 2 wait_for_all)" 25'
expect 'who computes does not wait' '! grep -q " compute$" out'
total=$(column 1 wait_for_all)
run "$GPROF" -b --ranks --clock=off a.out prof.?.out
expect 'by itself: the system call' 'grep -q "\[waiting: clock_nanosleep\]$" out'
run "$GPROF" -b --ranks=inclusive,ranks=prof.%r.out,calls --clock=wall a.out prof.?.out
expect 'wall: CPU time and waiting' 'grep -q "^Ranks: 4 .* on the CPU and waiting (" out && part "$total" "$(column 1 wait_for_all)" 100 &&
	[ "$(column 6 compute)" = 2 ]'
run "$GPROF" -b --ranks=inclusive,ranks=prof.%r.out a.out prof.?.out
expect 'without --clock: CPU time alone, sampled' 'grep -q "\* compute$" out && ! grep -q waiting out'
run "$GPROF" -b --ranks=outliers,ranks=prof.%r.out,inclusive --clock=off a.out prof.?.out
expect 'outliers: rank 2 has less of it' 'sed -n "/distance/{n;p;}" out | grep -q "^ *2 .* -[0-9.]* "'
run "$GPROF" --ranks=csv,inclusive,ranks=prof.%r.out --clock=off -o table a.out prof.?.out
expect 'as CSV' 'head -n 1 table | grep -q "^function,rank,inclusive (s),ticks,calls" && grep -q "^.wait_for_all.,.2.,[0-9]" table'
run "$GPROF" --export=webpage -o page --ranks=inclusive,ranks=prof.%r.out --clock=off a.out prof.?.out
expect 'the page has a picture of it' 'grep -q "\"exact\":\"off\"" page'
GMON=stacks,file=prof.9.out mpirun -n 1 ./a.out 2>err
run "$GPROF" -b --ranks=inclusive,ranks=prof.%r.out --clock=off a.out prof.*
expect 'a recording without waiting is no rank, and not 0' \
	'grep -q "^Ranks: 4 profiles" out && grep -q "prof.9.out: left out of the ranks: only its CPU time was recorded" err'
tap_done
