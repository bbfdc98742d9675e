/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The call graph leads anywhere in memory. So it is asked for ahead: in a report of 10^6 functions,
 * nearly nothing is in the caches.
 */
#ifndef REPORT_PREFETCH_H
#define REPORT_PREFETCH_H

#include "report/neighbours.h"
#include "report/text.h"

enum { PREFETCH_ENTRIES = 20, PREFETCH_LINES = 8 };

/* Before entry i, in t->order, is written: asks for what those up to PREFETCH_ENTRIES later need,
 * the first PREFETCH_LINES callers and callees of each included. */
void prefetch_of_entry(const struct text *t, uint32_t i);

/* The same before line i of a long list of callers or callees. */
void prefetch_of_line(const struct text *t, const struct neighbours *list, uint32_t i);

#endif
