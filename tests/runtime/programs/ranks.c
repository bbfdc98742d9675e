/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A program of MPI whose ranks call different numbers of times. Given an argument, rank 1 uses the
   most time. Different values of OTHER make different builds. */
#include <mpi.h>

#ifndef OTHER
#define OTHER 0
#endif

static volatile unsigned sink;

__attribute__((noinline)) void leaf(void)
{
	sink++;
}

__attribute__((noinline)) void branch(int n)
{
	for (int i = 0; i < n; i++)
		leaf();
}

__attribute__((noinline)) void only_one(void)
{
	for (int i = 0; i < 100000000; i++)
		sink = sink * 5 + 1;
}

int main(int argc, char **argv)
{
	int rank;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	for (int i = 0; i <= rank; i++)
		branch(100 + OTHER);
	if (rank == 1 && argc > 1)
		only_one();
	MPI_Finalize();
	return 0;
}
