/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functions that the compiler inlined become symbols, and get their part of stacks, samples and
 * calls. */
#ifndef ANALYSIS_FUNCTIONS_INLINED_H
#define ANALYSIS_FUNCTIONS_INLINED_H

#include "analysis/functions/resolve.h"
#include "analysis/lines/line_slices.h"
#include "model/graph.h"
#include "model/inlined.h"
#include "model/program.h"
#include "model/selection.h"
#include "model/symbolized.h"

/* The functions that an address is in, from the innermost inlined one to the one with a symbol. */
struct inlined_chain {
	struct line_caller at[LINE_SLICES_MOST_CALLERS];
	sym_id symbol[LINE_SLICES_MOST_CALLERS];
	uint32_t n; /* at least 1 */
};

/* The chain of an address in the symbol `own`. Linear in its length. */
void inlined_chain(struct inlined_chain *chain, const struct inlined *inlined, sym_id own,
		   uint64_t pc);

/*
 * Adds addresses to pcs, in no order: those in the address space of all code on stacks; or those of
 * the program's code where stacks end. Linear.
 */
void inlined_want(const struct symbolized_stacks *symbolized, address_list *pcs, struct arena *mem);
void inlined_want_ends(const struct recorded *recorded, address_list *pcs, struct arena *mem);

/*
 * Finds the inlined functions whose code is on stacks. Returns the stacks, in mem, with a frame for
 * each, between the function that it was inlined into and what it called; their table has a symbol
 * for each after all others. The address space has to outlive them. Linear in nodes, with what is
 * inlined there.
 */
struct symbolized_stacks inlined_find_on_stacks(struct inlined *inlined,
						const struct symbolized_stacks *symbolized,
						const struct address_space *space,
						const struct line_table *lines, struct arena *mem);

/* The same for code with samples in bins: the table alone. Linear in bins. */
struct symtab inlined_find_sampled(struct inlined *inlined, const struct profile *prof,
				   const struct program *program, const struct line_table *lines,
				   struct arena *mem);

/*
 * Samples by the innermost function, in mem; `whole` has them by symbols of the program. Those of
 * inlined functions that `sel` does not credit stay with the function that they are inlined into.
 * The sum is the same.
 */
struct ticks inlined_ticks(const struct inlined *inlined, const struct profile *prof,
			   const struct symtab *symtab, const struct selection *sel,
			   const struct ticks *whole, struct arena *mem);

/* Ticks that ended in inlined functions, and all. */
struct inlined_share {
	double inlined, all;
};

/* Of stacks, or of bins if `recorded` is NULL. Linear in either. */
struct inlined_share inlined_share(const struct recorded *recorded, const struct profile *prof,
				   const struct symtab *symtab, const struct line_table *lines);

/*
 * Sets the locations of the functions' symbols: the first line of their code in the file that
 * declares them. Linear in the line table.
 */
void inlined_locate(const struct inlined *inlined, struct location *locations);

/* Makes calls from inlined code calls of the inlined function: of the n arcs, which are of those
 * in the profile that raw_of says. */
void inlined_move_arcs(const struct inlined *inlined, const struct profile *prof, struct arc *arcs,
		       size_t n, const uint32_t *raw_of);

#endif
