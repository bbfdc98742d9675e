/* SPDX-License-Identifier: MIT */
/*
 * How libgmon_mpi gets the profile of this process, to add it to those of other ranks
 * (GMON=mpi=sum). libgmon exports these functions for that only; both libraries have the same
 * version. Not async-signal-safe; one thread calls them, in this order.
 */
#ifndef HANDOVER_H
#define HANDOVER_H

#include <stddef.h>
#include <stdint.h>

/* What GMON asks for. */
struct handover {
	uint32_t keep; /* how many ranks, those with the most CPU time, also write their own file */
	uint32_t wait; /* how many seconds one rank may wait for others */
	uint32_t verbose;
};

enum handover_state { HANDOVER_UNASKED, HANDOVER_NOTHING, HANDOVER_HELD };

/*
 * Ends the recording of this process, which is rank `rank`, and keeps its profile: exit() will
 * write it, unless gmon_sum_drop() is called. Returns HANDOVER_UNASKED if GMON does not ask for a
 * sum; then nothing has changed. HANDOVER_NOTHING: GMON asks for a sum, but this process records
 * nothing.
 */
enum handover_state gmon_sum_begin(uint32_t rank, struct handover *asked);

/* Copies the first `room` bytes of the profile's file. Returns how many bytes the file has. */
size_t gmon_sum_take(void *bytes, size_t room);

/*
 * Writes n bytes, such as gmon_sum_take() copies, as the sum of all ranks. Returns 0, or -errno
 * after a line on stderr.
 */
long gmon_sum_write(const void *bytes, size_t n);

/* Drops the profile, because it is in the sum: this rank writes no file. */
void gmon_sum_drop(void);
#endif
