/* SPDX-License-Identifier: MIT */
/*
 * The counts of all threads as one table of link-time addresses, from which a file is written. Each
 * file is about the code of one object, the program or a shared library. Callers outside the object
 * become its entry point; callees outside are left out.
 */
#ifndef WRITE_MERGE_H
#define WRITE_MERGE_H

#include <stdint.h>

#include "base/program.h"
#include "count/table.h"

/* Called with a pair as in struct cell, but in link-time addresses; the `from` of calls is in the
 * call instruction, not after it. Ticks are those outside the program's histogram. */
typedef void merge_visit(void *context, uintptr_t from, uintptr_t self, uint64_t count);

/* The sum of all tables; `table` is NULL if there was no memory for it. */
struct merged {
	struct table *table;
	struct table_order order; /* the order of first calls; n is 0 if it is unknown */
};

/*
 * Adds up the counts of an object in all tables. Here and below, a count is left out if the process
 * cannot have counted so far in its CPU time: somebody has overwritten the live file, and the
 * records for it could fill the disk. A line on stderr says so. Counting may continue meanwhile;
 * pairs that are added meanwhile may be missing. Async-signal-safe.
 */
struct merged merge_tables(const struct program *program);

void merge_free(struct merged *merged);

/*
 * Visits each pair of the sum, in the order of first calls if that is known. If there was no memory
 * for the sum, visits each pair in each table; the same pair may then be visited several times.
 */
void merge_each(const struct merged *merged, const struct program *program, merge_visit *visit,
		void *context);

/* Visits each pair of the object in each table; the same pair may be visited several times. */
void merge_each_unsummed(const struct program *program, merge_visit *visit, void *context);

/* Returns the ticks in all tables for which no sample was taken. */
uint64_t merge_unknown_ticks(void);

#endif
