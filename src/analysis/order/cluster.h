/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Orders of functions by what they cost: callers and callees near each other, by call-chain
 * clustering (C3: Ottoni and Maher, "Optimizing function placement for large-scale data-center
 * applications", CGO 2017), or by density of samples alone.
 */
#ifndef ANALYSIS_ORDER_CLUSTER_H
#define ANALYSIS_ORDER_CLUSTER_H

#include "model/analysis.h"

/*
 * Puts the functions that were sampled, were called, or called others, each once, into `list`,
 * which has room for all; returns how many there are. A function's weight is its samples or, if no
 * function has any, its calls; its density is its weight divided by its bytes. In the order of
 * falling density, the cluster of a function is appended to that of its most frequent caller,
 * unless both together have more than 1 MiB of code, or less than an eighth of the density of the
 * caller's cluster. Clusters are then sorted by falling density, and where it is equal by the
 * address of their first functions. n log n in functions, linear in arcs.
 */
uint32_t cluster_list(const struct analysis *a, sym_id *list, const struct arena *mem);

/*
 * Lists the same functions by falling density of samples; those without samples by calls per byte.
 * n log n.
 */
uint32_t cluster_list_by_time(const struct analysis *a, sym_id *list, const struct arena *mem);

#endif
