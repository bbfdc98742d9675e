/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compares ranks, from the sums over ranks. */
#ifndef ANALYSIS_RANKS_RANKS_H
#define ANALYSIS_RANKS_RANKS_H

#include "analysis/ranks/rank_list.h"
#include "base/demangle.h"

struct ranks_input {
	const struct ranks_request *request;
	const struct rank_list *list; /* at least 2 ranks, with their ticks */
	const struct symtab *symtab;
	enum demangle_style style; /* style of the names by which rows are sorted */
	struct bitset shown;       /* symbols that may get rows */
	bool has_calls;
	bool exact, has_waiting; /* as in struct ranks */
	double per_sample;
	bool per_sample_told;
};

/*
 * Compares the ranks that were added up; the result lives in mem and has no cells yet. n log n in
 * functions, linear in ranks.
 */
struct ranks *ranks_make(const struct ranks_input *in, const struct run_sums *sums,
			 struct arena *mem);

/*
 * Returns the indices in run_sums.sum of the rows: for nsyms symbols, and one more for ticks in no
 * function. The set lives in mem. Linear.
 */
struct bitset ranks_wanted(const struct ranks *ranks, uint32_t nsyms, struct arena *mem);

/*
 * Adds the cells of the rows, in mem, from sums of the same ranks that kept their cells
 * (run_sums.wanted), and the outliers if they are asked for. Linear in cells, n log n if a rank has
 * several of one row.
 */
void ranks_add_cells(struct ranks *ranks, const struct run_sums *sums, bool outliers,
		     struct arena *mem);

#endif
