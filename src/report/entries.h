/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The order in which reports list functions and the call graph lists its entries. */
#ifndef REPORT_ENTRIES_H
#define REPORT_ENTRIES_H

#include "report/text.h"

/* Sets the order and the numbers of the entries, in t->mem, if a call graph is wanted, and the rank
 * of names if most symbols have data. n log n in nodes. */
void entries_order(struct text *t);

/* Sorts symbols by linker name, equal ones by address. n log n. */
void entries_sort_names(const struct text *t, uint32_t *ids, size_t n, const struct arena *mem);

/* Sorts nodes by descending time; if by_class, then cycles by number, plain names and names with an
 * underscore; then by descending calls; then by name. */
void entries_sort(const struct text *t, uint32_t *nodes, size_t n, const double *time,
		  bool by_class, const struct arena *mem);

/* Whether lists of functions include the symbol: it was called or sampled, or all are requested. */
bool entries_lists(const struct analysis *a, const struct report_options *opt, sym_id s);

/* Whether the index includes the symbol: lists do, or it has self time or, with call stacks,
 * inclusive time. */
bool entries_indexes(const struct analysis *a, const struct report_options *opt, sym_id s);

#endif
