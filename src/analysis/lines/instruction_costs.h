/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Attributes samples and calls to the machine instructions of functions. */
#ifndef ANALYSIS_LINES_INSTRUCTION_COSTS_H
#define ANALYSIS_LINES_INSTRUCTION_COSTS_H

#include "model/analysis.h"
#include "model/instructions.h"
#include "model/line_costs.h"
#include "model/line_table.h"

struct instruction_costs_input {
	const struct analysis *analysis;
	const struct line_costs *costs; /* of all functions, with frames of callers */
	const struct line_table *lines; /* of the functions' code */
	const sym_id *symbol;           /* the functions, all different */
	const struct disassembly *code; /* one for each */
	uint32_t n;
	bool stacks; /* samples have addresses; else they are in bins */
};

/*
 * Returns the function whose instructions have the code at pc in a symbol: that one or, if it was
 * inlined, the function around it; SYM_NONE: none. O(log n).
 */
sym_id instruction_costs_function(const struct program *program, sym_id symbol, uint64_t pc);

/*
 * Returns the listings, in mem, with the time of functions that were inlined. A sample is that of
 * the instruction that its address is in: the one that was about to run when the clock looked, or
 * was interrupted. A bin is that of the instruction at its beginning. Linear in instructions,
 * samples and call sites, times log n; n log n in functions.
 */
struct instruction_listings instruction_costs_make(const struct instruction_costs_input *in,
						   struct arena *mem);

#endif
