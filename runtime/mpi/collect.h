/* SPDX-License-Identifier: MIT */
/* Adding up the profiles of all ranks of MPI_COMM_WORLD, as GMON=mpi=sum asks for. */
#ifndef COLLECT_H
#define COLLECT_H

/*
 * To be called once by all ranks, between MPI_Init() and MPI_Finalize(). The ranks that run rank
 * 0's program send their profiles along a binomial tree, and rank 0 writes the sum. If anything
 * fails, or other ranks do not come, a rank keeps its own profile, which exit() writes, and a line
 * on stderr says so. No wait is longer than GMON=mpiwait. Does nothing, and waits for nobody,
 * unless GMON=mpi=sum asks for a sum.
 */
void collect_profiles(void);

#endif
