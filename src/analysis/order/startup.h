/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The order in which a program first calls its functions: what it needs to start then lies together
 * in few pages, in the order in which they are read.
 */
#ifndef ANALYSIS_ORDER_STARTUP_H
#define ANALYSIS_ORDER_STARTUP_H

#include "model/analysis.h"

/*
 * Of data whose arcs are in the order of first calls: functions by that; a caller that nobody was
 * seen to call before its first callee; then those that have samples only, by address. Puts each
 * once into `list`, which has room for all, and returns how many there are. Linear.
 */
uint32_t startup_list(const struct analysis *a, sym_id *list, const struct arena *mem);

#endif
