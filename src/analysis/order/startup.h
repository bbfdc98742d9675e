/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The order in which a program first calls its functions. The code for its start is then in few
 * pages, which are read in ascending order.
 */
#ifndef ANALYSIS_ORDER_STARTUP_H
#define ANALYSIS_ORDER_STARTUP_H

#include "model/analysis.h"

/*
 * Lists functions in the order of their first calls, which is that of the arcs in the data. A
 * caller that was not called itself comes before its first callee; functions with samples only come
 * last, by address. Puts each once into `list`, which has room for all, and returns how many there
 * are. Linear.
 */
uint32_t startup_list(const struct analysis *a, sym_id *list, const struct arena *mem);

#endif
