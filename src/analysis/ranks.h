/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From what ranks have to what they differ by. */
#ifndef ANALYSIS_RANKS_H
#define ANALYSIS_RANKS_H

#include "analysis/rankcount.h"

/* Of the ranks that were counted, all of them. */
struct ranks_input {
	const struct analysis *a;
	const struct ranks_request *request;
	const char *const *name; /* of symbols, if rows are sorted by it */
	struct bitset shown;     /* symbols that may be rows */
	struct rank *rank;       /* without ticks, which are filled in */
	uint32_t n;
	bool has_calls;
	bool has_cells;
	double per_sample;
	bool per_sample_told;
};

/* What came of it, in mem. n log n in functions, cells and ranks. */
const struct ranks *ranks_make(const struct ranks_input *in, const struct rank_count *count,
			       struct arena *mem);

#endif
