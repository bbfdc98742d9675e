/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From what ranks have to what they differ by. */
#ifndef ANALYSIS_RANKS_RANKS_H
#define ANALYSIS_RANKS_RANKS_H

#include "analysis/ranks/rankcount.h"

/* Of the ranks that were counted, all of them. */
struct ranks_input {
	const struct analysis *a;
	const struct ranks_request *request;
	const char *const *name; /* of symbols, if rows are sorted by it */
	struct bitset shown;     /* symbols that may be rows */
	struct rank *rank;       /* without ticks, which are filled in */
	uint32_t n;
	bool has_calls;
	bool exact, has_waiting; /* as struct ranks has them */
	double per_sample;
	bool per_sample_told;
};

/* What came of it, without cells, in mem. n log n in functions and ranks. */
struct ranks *ranks_make(const struct ranks_input *in, const struct rank_count *count,
			 struct arena *mem);

/* The symbols of the rows, and the number behind all symbols for ticks in none. In mem. Linear. */
struct bitset ranks_wanted(const struct ranks *ranks, uint32_t nsyms, struct arena *mem);

/*
 * Adds the cells of the rows, in mem, from a count of the same ranks that has kept them; and, if
 * they are asked for, the outliers. Linear in cells, n log n for those that were counted apart.
 */
void ranks_add_cells(struct ranks *ranks, const struct rank_count *count, bool outliers,
		     struct arena *mem);

#endif
