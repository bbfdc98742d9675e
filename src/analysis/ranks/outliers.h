/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ranks that differ most from the others. */
#ifndef ANALYSIS_RANKS_OUTLIERS_H
#define ANALYSIS_RANKS_OUTLIERS_H

#include "base/arena.h"
#include "model/ranks.h"

/*
 * The ranks that differ most from the others, at most RANKS_OUTLIERS, in mem; sets *n. `ranks` must
 * have cells. A function's distance in a rank is how far its ticks are from the median of all
 * ranks, in deviations. A deviation is 1.4826 times the median of the absolute distances (F. R.
 * Hampel, J. Am. Stat. Assoc. 69:383, 1974), which a few odd ranks do not change, and at least the
 * noise of sampling. Only functions are considered whose ticks in some rank are at least 1 % of all
 * ticks of the longest rank. n log n in functions times ranks.
 */
const struct ranks_outlier *outliers_find(const struct ranks *ranks, uint32_t *n,
					  struct arena *mem);

#endif
