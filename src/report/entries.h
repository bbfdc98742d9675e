/* SPDX-License-Identifier: GPL-3.0-or-later */
/* In which order reports list functions and the call graph its entries. */
#ifndef REPORT_ENTRIES_H
#define REPORT_ENTRIES_H

#include "report/text.h"

/*
 * Sets the order and the numbers of the entries, in mem, if there is to be a call graph; and the
 * rank of names, if most symbols have data. n log n in nodes.
 */
void entries_order(struct text *t, struct arena *mem);

#endif
