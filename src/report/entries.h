/* SPDX-License-Identifier: GPL-3.0-or-later */
/* In which order reports list functions and the call graph its entries. */
#ifndef REPORT_ENTRIES_H
#define REPORT_ENTRIES_H

#include "report/text.h"

/*
 * Sets the order and the numbers of the entries, in t->mem, if there is to be a call graph; and the
 * rank of names, if most symbols have data. n log n in nodes.
 */
void entries_order(struct text *t);

/* Sorts symbols by their linker names; equal ones by address. n log n. */
void entries_sort_names(const struct text *t, uint32_t *ids, size_t n, const struct arena *mem);

/*
 * Sorts nodes by their time, most first; if by_class, cycles by number, plain names and those with
 * an underscore; by calls, most first; by name.
 */
void entries_sort(const struct text *t, uint32_t *nodes, size_t n, const double *time,
		  bool by_class, const struct arena *mem);

/* Whether lists of functions have the symbol: it was called, sampled, or all are asked for. */
bool entries_lists(const struct analysis *a, const struct report_options *opt, sym_id s);

/* Whether the index has it: those, and others with time of their own or, by call stacks, below. */
bool entries_indexes(const struct analysis *a, const struct report_options *opt, sym_id s);

#endif
