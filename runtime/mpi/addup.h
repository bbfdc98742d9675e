/* SPDX-License-Identifier: MIT */
/*
 * Adding up profiles: the bytes of files as include/gmon_out.h has them, of one program and written
 * on this kind of machine. What adds up is a commutative monoid, so any order and any tree of sums
 * leads to the same bytes. Memory is malloc()'s; time is linear in the bytes, and n log n in the
 * different arcs when the sum is written.
 */
#ifndef ADDUP_H
#define ADDUP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Samples of the code in [low, high), in bins of `width` bytes. */
struct addup_range {
	uintptr_t low, high, width;
	uint64_t *ticks;
};

/* An arc, or a basic block, whose `self` is 0 and no function's address. */
struct addup_count {
	uintptr_t from, self;
	uint64_t n; /* 0: there is none here */
};

/* All zero: of no profile. */
struct addup {
	struct addup_range *range; /* disjoint, in no order; few */
	size_t nranges;
	uint32_t rate;             /* samples a second; 0: no profile yet */
	struct addup_count *count; /* a table that is found in by hash */
	size_t ncounts;
	size_t room; /* of the table: 0 or a power of 2 */
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
 * Adds a profile of n bytes. After an error the sum is of no use but for addup_free().
 * ADDUP_OTHER_RANGES: its histogram has other bins for the same code.
 */
enum addup_error addup_add(struct addup *sum, const void *bytes, size_t n);

/* The sum as the bytes of a file, for free(). NULL: no memory. */
unsigned char *addup_write(const struct addup *sum, size_t *n);

void addup_free(struct addup *sum);

#endif
