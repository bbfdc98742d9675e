/* SPDX-License-Identifier: MIT */
/*
 * The counts of all threads as one table of link-time addresses: what goes into a file. Each file
 * is about the code of one object, the program or a library.
 */
#ifndef MERGE_H
#define MERGE_H

#include <stdint.h>

#include "program.h"
#include "table.h"

/* A pair as in struct cell, but in link-time addresses; an arc's `from` lies in its call. Ticks are
 * those that fell outside the histogram. */
typedef void merge_visit(void *context, uintptr_t from, uintptr_t self, uint64_t count);

/*
 * Sums up what all tables hold of an object. NULL: no memory, or nothing to sum up. Counting may go
 * on meanwhile; a pair that is new since can be missing. Async-signal-safe.
 */
struct table *merge_tables(const struct program *program);

void merge_free(struct table *merged);

/*
 * Visits each pair of a merged table, or, if that is NULL, each pair of the object that a thread
 * has; one may come more than once then. Callers outside the object are its entry point; callees
 * outside are left out.
 */
void merge_each(const struct table *merged, const struct program *program, merge_visit *visit,
		void *context);

/* Ticks of unknown places in all tables. Linear in their cells. */
uint64_t merge_unknown_ticks(void);

#endif
