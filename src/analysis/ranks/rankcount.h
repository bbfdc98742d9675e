/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Counting what ranks have, one rank after the other. Of each function a few sums are kept, so
 * memory is that of functions, unless cells are wanted.
 */
#ifndef ANALYSIS_RANKS_RANKCOUNT_H
#define ANALYSIS_RANKS_RANKCOUNT_H

#include "analysis/stacks/call_tree.h"
#include "base/array.h"
#include "model/profile.h"
#include "model/ranks.h"

/* What the ranks counted so far have of a function. */
struct rank_sum {
	double now; /* of the rank at hand; both are 0 between ranks */
	uint64_t calls_now;
	double total, squares, min, max; /* min of those that have any, */
	uint32_t n, most;                /* which are so many */
	uint32_t least, next; /* the rank with min, and the lowest that has none: of a walk, whose
				 ranks come in their order */
	uint64_t calls, min_calls, max_calls;
	uint32_t ncalls, most_calls; /* ranks with calls, */
	bool touched;                /* by the rank at hand */
};

struct rank_count {
	uint32_t nsyms;       /* behind those there is one for ticks in no function */
	struct rank_sum *sum; /* one for each symbol, and that */
	double now;           /* all ticks of the rank at hand */
	double *total;        /* of each rank: one array for all that count them */
	ARRAY(uint32_t) touched;
	const struct bitset
		*wanted;  /* symbols, and the one for none, whose cells are kept; or NULL */
	struct hist like; /* the last histogram that there was, and of its bins that lie in one */
	uint32_t *of_bin; /* symbol this, from 2; 1: in several or none; 0: not known */
	ARRAY(struct ranks_cell) cells; /* by symbol instead of row */
	struct arena *mem;
};

/* Room for what `nsyms` functions have; total has an entry for each rank. In mem, which is not to
 * be that of another thread. */
struct rank_count rankcount_begin(uint32_t nsyms, double *total, const struct bitset *wanted,
				  struct arena *mem);

/* Adds ticks of the rank at hand; SYM_NONE: in no function. Or calls. Constant time. */
void rankcount_add(struct rank_count *count, sym_id s, double ticks);
void rankcount_add_calls(struct rank_count *count, sym_id s, uint64_t calls);

/* Whether the rank at hand has ticks, but none in a function, and no calls. Linear in the functions
 * that it has. */
bool rankcount_is_foreign(const struct rank_count *count);

/* The rank at hand, of this number, is over. Linear in the functions that it has. */
void rankcount_end_rank(struct rank_count *count, uint32_t rank);

/* Adds what was counted of other ranks, or of the calls of the same, and lives as long. Linear in
 * functions and cells. */
void rankcount_join(struct rank_count *count, const struct rank_count *more);

/* Ticks of the rank at hand by symbol, of those in `credited`, and in no function, as the histogram
 * of its profile has them, each tick being `scale` ticks. Its ticks are kept by file. */
void rankcount_add_bins(struct rank_count *count, const struct profile *one,
			const struct symtab *symtab, struct bitset credited, double scale);

/* Calls of the rank at hand, but those of functions by themselves, as its profile has them. n log n
 * in arcs. */
void rankcount_add_arcs(struct rank_count *count, const struct profile *one,
			const struct symtab *symtab, const struct selection *sel);

/* Which samples count, and where. */
struct rankcount_choice {
	struct bitset credited; /* symbols */
	bool inclusive; /* ticks of a function are those of the stacks that it is on, not only of
			   those that end in it */
	struct clock clock;
	double per_wait; /* ticks for one of clock.waiting, which adds to the times; or 0 */
	const uint32_t *of_thread; /* the rank of each thread; UINT32_MAX: none */
};

/* Counts all ranks by call stacks. n log n in samples, linear in their frames. */
void rankcount_walk(struct rank_count *count, const struct symbolized_stacks *symbolized,
		    const struct rankcount_choice *choice);

#endif
