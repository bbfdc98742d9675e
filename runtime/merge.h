/* SPDX-License-Identifier: MIT */
/* The counts of all threads as one table of link-time addresses: what goes into a file. */
#ifndef MERGE_H
#define MERGE_H

#include <stdint.h>

#include "table.h"

/* A pair as in struct cell, but in link-time addresses; an arc's `from` lies in its call. */
typedef void merge_visit(void *context, uintptr_t from, uintptr_t self, uint64_t count);

/*
 * Sums up all tables. NULL: no memory, or nothing to sum up. Counting may go on meanwhile; a pair
 * that is new since can be missing. Async-signal-safe.
 */
struct table *merge_tables(void);

void merge_free(struct table *merged);

/*
 * Visits each pair of a merged table, or, if that is NULL, each of each thread, where a pair may
 * come more than once. Callers outside the program are its entry point; callees outside are left
 * out.
 */
void merge_each(const struct table *merged, merge_visit *visit, void *context);

#endif
