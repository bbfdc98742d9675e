/* SPDX-License-Identifier: MIT */
/* Adding up the profiles of all ranks of MPI_COMM_WORLD, as GMON=mpi=sum asks for. */
#ifndef COLLECT_H
#define COLLECT_H

/*
 * Once, between MPI_Init() and MPI_Finalize(), by all ranks: those whose program is rank 0's send
 * their profiles along a binomial tree, and rank 0 writes the sum. Whatever fails, be it that other
 * ranks never come, ranks keep their own profiles, which exit() writes, and a line on stderr says
 * so: no wait is longer than GMON=mpiwait. Nothing is done, and nobody waited for, where
 * GMON=mpi=sum was not asked for.
 */
void collect_profiles(void);

#endif
