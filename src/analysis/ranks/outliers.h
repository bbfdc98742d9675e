/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ranks that are far from the others. */
#ifndef ANALYSIS_RANKS_OUTLIERS_H
#define ANALYSIS_RANKS_OUTLIERS_H

#include "base/arena.h"
#include "model/ranks.h"

/*
 * The ranks, at most RANKS_OUTLIERS, that are farthest from the others, in mem; sets *n. A
 * function's distance is what its ticks are off its median over all ranks, in deviations: 1.4826
 * times the median of what all are off, as F. R. Hampel has it (J. Am. Stat. Assoc. 69:383, 1974),
 * which a few odd ranks do not move; and no less than the noise of sampling. Of functions that have
 * 1 % of the longest rank in some rank, and of ranks with cells. n log n in functions times ranks.
 */
const struct ranks_outlier *outliers_find(const struct ranks *ranks, uint32_t *n,
					  struct arena *mem);

#endif
