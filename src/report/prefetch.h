/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prefetching for the call graph, whose accesses are scattered: in a report of 10^6 functions,
 * nearly all are cache misses. */
#ifndef REPORT_PREFETCH_H
#define REPORT_PREFETCH_H

#include "report/neighbours.h"
#include "report/text.h"

enum { PREFETCH_ENTRIES = 20, PREFETCH_LINES = 8 };

/*
 * To be called before entry i of t->order is written: prefetches for the entries up to
 * PREFETCH_ENTRIES later, and the first PREFETCH_LINES callers and callees of each.
 */
void prefetch_entry(const struct text *t, uint32_t i);

/*
 * To be called before line i of a long list of callers or callees is written: prefetches for later
 * lines.
 */
void prefetch_line(const struct text *t, const struct neighbours *list, uint32_t i);

#endif
