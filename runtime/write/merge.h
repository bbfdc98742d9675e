/* SPDX-License-Identifier: MIT */
/*
 * The counts of all threads as one table of link-time addresses: what goes into a file. Each file
 * is about the code of one object, the program or a library.
 */
#ifndef WRITE_MERGE_H
#define WRITE_MERGE_H

#include <stdint.h>

#include "base/program.h"
#include "count/table.h"

/* A pair as in struct cell, but in link-time addresses; an arc's `from` lies in its call. Ticks are
 * those that fell outside the histogram. */
typedef void merge_visit(void *context, uintptr_t from, uintptr_t self, uint64_t count);

/* The sum; `table` is NULL if there was no memory for it. */
struct merged {
	struct table *table;
	struct table_order order; /* of first calls; n is 0 if it is not known */
};

/*
 * Sums up what all tables hold of an object. A count that nobody can have counted in the CPU time
 * that was used, since somebody has written to the shared file, is left out everywhere here: its
 * records would fill the disk. count_block_say_spoiled() says so. Counting may go on meanwhile; a
 * pair that is new since can be missing. Async-signal-safe.
 */
struct merged merge_tables(const struct program *program);

void merge_free(struct merged *merged);

/*
 * Visits each pair of a sum, in the order of first calls if that is known; or, if there was no
 * memory for the sum, each pair of the object that a thread has; one may come more than once then.
 * Callers outside the object are its entry point; callees outside are left out.
 */
void merge_each(const struct merged *merged, const struct program *program, merge_visit *visit,
		void *context);

/* The same of all threads' pairs, whether there is memory or not. */
void merge_each_unsummed(const struct program *program, merge_visit *visit, void *context);

/* Ticks of unknown places in all tables. Linear in their cells. */
uint64_t merge_unknown_ticks(void);

#endif
