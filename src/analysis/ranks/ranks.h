/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From the sums over ranks to what ranks differ by. */
#ifndef ANALYSIS_RANKS_RANKS_H
#define ANALYSIS_RANKS_RANKS_H

#include "analysis/ranks/rank_list.h"
#include "base/demangle.h"

struct ranks_input {
	const struct ranks_request *request;
	const struct rank_list *list; /* of 2 ranks or more; ticks are filled in */
	const struct symtab *symtab;
	enum demangle_style style; /* of names that rows are sorted by */
	struct bitset shown;       /* symbols that may be rows */
	bool has_calls;
	bool exact, has_waiting; /* as struct ranks has them */
	double per_sample;
	bool per_sample_told;
};

/* The comparison of the ranks that were added up, in mem, without cells. n log n in functions,
 * linear in ranks. */
struct ranks *ranks_make(const struct ranks_input *in, const struct run_sums *sums,
			 struct arena *mem);

/* The indices of the rows in run_sums.sum, of n symbols and of ticks in none. In mem. Linear. */
struct bitset ranks_wanted(const struct ranks *ranks, uint32_t nsyms, struct arena *mem);

/*
 * Adds the cells of the rows, in mem, from sums of the same ranks that have kept them, and the
 * outliers if they are asked for. Linear in cells, n log n if a rank has several of one row.
 */
void ranks_add_cells(struct ranks *ranks, const struct run_sums *sums, bool outliers,
		     struct arena *mem);

#endif
