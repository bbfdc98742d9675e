/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes symbols of inlined functions, and gives them their parts of stacks, samples and calls. */
#ifndef ANALYSIS_FUNCTIONS_INLINED_H
#define ANALYSIS_FUNCTIONS_INLINED_H

#include "analysis/functions/resolve.h"
#include "analysis/lines/line_slices.h"
#include "model/graph.h"
#include "model/inlined.h"
#include "model/program.h"
#include "model/selection.h"
#include "model/symbolized.h"

/*
 * The functions that contain an address, from the innermost inlined one to the one that has a
 * symbol.
 */
struct inlined_chain {
	struct line_caller at[LINE_SLICES_MOST_CALLERS];
	sym_id symbol[LINE_SLICES_MOST_CALLERS];
	uint32_t n; /* at least 1 */
};

/* The chain of an address in the symbol `own`. Linear in its length. */
void inlined_chain(struct inlined_chain *chain, const struct inlined *inlined, sym_id own,
		   uint64_t pc);

/*
 * Both add addresses to pcs, in no order: inlined_want() those of all code on stacks, in the
 * address space; inlined_want_own() those of the program's code on stacks. Linear.
 */
void inlined_want(const struct symbolized_stacks *symbolized, address_list *pcs, struct arena *mem);
void inlined_want_own(const struct recorded *recorded, address_list *pcs, struct arena *mem);

/*
 * Finds the inlined functions whose code is on stacks. Returns the stacks, in mem, with a frame for
 * each of them between the function that it was inlined into and the function that it called. Their
 * table has a symbol for each inlined function, after all others. `space` must outlive the result.
 * Linear in nodes times the depth of inlining.
 */
struct symbolized_stacks inlined_find_on_stacks(struct inlined *inlined,
						const struct symbolized_stacks *symbolized,
						const struct address_space *space,
						const struct line_table *lines, struct arena *mem);

/* Does the same for code with samples in histograms; returns only the table. Linear in bins. */
struct symtab inlined_find_sampled(struct inlined *inlined, const struct profile *prof,
				   const struct program *program, const struct line_table *lines,
				   struct arena *mem);

/*
 * Returns samples by innermost function, in mem; `whole` has them by the program's symbols. Samples
 * of inlined functions that `sel` does not credit stay with the function into which they were
 * inlined, so the sum stays the same.
 */
struct ticks inlined_ticks(const struct inlined *inlined, const struct profile *prof,
			   const struct symtab *symtab, const struct selection *sel,
			   const struct ticks *whole, struct arena *mem);

/* Ticks in inlined functions, or in those and what they call, and ticks in all. */
struct inlined_share {
	double inlined, all;
};

/*
 * Returns the share of stacks on which there is an inlined function of the program, so that of the
 * functions that it calls, too; `lines` has what inlined_want_own() wants. Linear in nodes and
 * samples.
 */
struct inlined_share inlined_share_of_stacks(const struct recorded *recorded,
					     const struct line_table *lines,
					     const struct arena *mem);

/* Returns the share of bins in the code of inlined functions. Linear in bins. */
struct inlined_share inlined_share_of_bins(const struct profile *prof, const struct symtab *symtab,
					   const struct line_table *lines);

/*
 * Sets the locations of the functions' symbols: the first line of their code in the file that
 * declares them. Linear in the line table.
 */
void inlined_locate(const struct inlined *inlined, struct location *locations);

/* Makes the inlined function the caller of each call from inlined code. Arc i of the n arcs is
 * number raw_of[i] in the profile. */
void inlined_move_arcs(const struct inlined *inlined, const struct profile *prof, struct arc *arcs,
		       size_t n, const uint32_t *raw_of);

#endif
