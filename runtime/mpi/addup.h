/* SPDX-License-Identifier: MIT */
/*
 * Adding up profiles of one program: the bytes of files in the format of include/gmon_out.h,
 * written on this kind of machine. Any order, and any tree of partial sums, leads to the same
 * bytes. Memory is malloc()'s. Time is linear in the bytes, and n log n in the different arcs when
 * the sum is written.
 */
#ifndef ADDUP_H
#define ADDUP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Samples of the code in [low, high), in bins that cover `width` bytes of code each. */
struct addup_range {
	uintptr_t low, high, width;
	uint64_t *ticks;
};

/* An arc, or a basic block at `from`, whose `self` is 0. */
struct addup_count {
	uintptr_t from, self;
	uint64_t n; /* calls or executions; 0: a free entry */
};

/* A sum of profiles; all zero: of none. */
struct addup {
	struct addup_range *range; /* disjoint, not sorted; few */
	size_t nranges;
	uint32_t rate;             /* samples per second; 0: no profile was added yet */
	struct addup_count *count; /* a hash table */
	size_t ncounts;            /* used entries */
	size_t room;               /* all entries: 0 or a power of 2 */
};

/* Why a profile cannot be added. */
enum addup_error {
	ADDUP_DONE,
	ADDUP_NO_MEMORY,
	ADDUP_DAMAGED,
	ADDUP_OTHER_RANGES,
	ADDUP_OTHER_RATE
};

/*
 * Adds a profile of n bytes. After an error, only addup_free() may be called.
 * ADDUP_OTHER_RANGES: its histogram has other bins for the same code.
 */
enum addup_error addup_add(struct addup *sum, const void *bytes, size_t n);

/* Returns the sum as the n bytes of a file, to be freed by free(). NULL: no memory. */
unsigned char *addup_write(const struct addup *sum, size_t *n);

void addup_free(struct addup *sum);

#endif
