/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which data files of a profile, or which of their threads, are ranks, and what they are called. */
#ifndef ANALYSIS_RANKS_RANK_LIST_H
#define ANALYSIS_RANKS_RANK_LIST_H

#include "analysis/ranks/run_sums.h"
#include "base/diag.h"
#include "model/costs.h"

struct rank_list_input {
	const struct profile *profile;
	const struct rank *named; /* for each data file, the rank that its name says; `label` is
				     NULL if it says none */
	bool threads;             /* ranks are threads, not files */
	bool needs_clock;         /* files whose CPU time was not recorded are no ranks */
	/* costs.origin has the time of each thread, if it was measured */
	const struct costs *costs;
	const struct bitset *chosen; /* threads whose time counts; NULL: all */
};

struct rank_list {
	struct rank *rank; /* in the order of their files; ticks are 0 */
	uint32_t n;
	uint32_t *of_file;   /* the rank of each data file; RUN_NONE: it is none */
	uint32_t *of_thread; /* with call stacks: the rank of each recorded thread, or RUN_NONE */
	bool *is_foreign;    /* data files that are no ranks; others may be marked later on */
	bool has_bases; /* the last components of the files' paths are enough to distinguish the
			   files */
};

/*
 * Makes the list in mem. A sum of several files is no rank if other files are no sums; a thread
 * without any time is no rank. Files that are left out are named in notes, as is the share of
 * time whose thread is not known. n log n in files, linear in threads.
 */
struct rank_list rank_list_make(const struct rank_list_input *in, struct arena *mem,
				struct diag *notes);

/* Numbers the ranks anew, without the files that are marked as foreign. Linear. */
void rank_list_number(struct rank_list *list, const struct rank_list_input *in);

#endif
