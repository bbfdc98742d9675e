/* SPDX-License-Identifier: MIT */
/*
 * The profile of this process in the hands of libgmon_mpi, which adds it to those of other ranks
 * (GMON=mpi=sum). libgmon exports these calls for that; they are no interface for programs, and
 * both libraries are of one version. Not async-signal-safe; one thread makes them, in this order.
 */
#ifndef HANDOVER_H
#define HANDOVER_H

#include <stddef.h>
#include <stdint.h>

/* What GMON asks for. */
struct handover {
	uint32_t keep; /* so many ranks write their own file besides, those of most CPU time */
	uint32_t wait; /* how many seconds one rank may wait for others */
	uint32_t verbose;
};

enum handover_state { HANDOVER_UNASKED, HANDOVER_NOTHING, HANDOVER_HELD };

/*
 * Ends the recording of this process, the rank of that number, and keeps its profile, which exit()
 * writes unless gmon_sum_drop() comes before. HANDOVER_UNASKED: that was not asked for, and all is
 * as it was. HANDOVER_NOTHING: it was, but nothing records here.
 */
enum handover_state gmon_sum_begin(uint32_t rank, struct handover *asked);

/* The profile, as the bytes of its file, as many as there is room for. How many there are. */
size_t gmon_sum_take(void *bytes, size_t room);

/* Writes n bytes of the same form as the sum of all ranks. 0, or -errno after a line on stderr. */
long gmon_sum_write(const void *bytes, size_t n);

/* This rank's profile is in the sum: it gets no file. */
void gmon_sum_drop(void);

#endif
