/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the calls and jumps that a program's machine code contains, executed or not. */
#ifndef IO_IMAGE_CALLSCAN_H
#define IO_IMAGE_CALLSCAN_H

#include "base/diag.h"
#include "io/image/code.h"
#include "model/program.h"

/*
 * Returns the direct calls between functions of the table, sorted by address, in mem. A call counts
 * if it leads exactly to the start of a function, directly or through a linkage table. A jump
 * counts as a tail call if it leads to the start of another function and a symbol there is marked
 * as a function. Calls from functions that were left out of the table because of their names have
 * no caller. If there is no decoder for the machine there are no calls, and a warning names path.
 * Linear in the code; each branch costs the logarithm of the number of symbols.
 */
struct call_sites callscan(const struct code *code, const struct symtab *symtab, const char *path,
			   struct arena *mem, struct diag *diag);

/* A branch in the code. */
struct code_branch {
	uint64_t pc, after; /* address of the instruction, and address after it */
	uint64_t target;    /* not set for BRANCH_COMPUTED */
	enum branch_kind kind;
	sym_id owner; /* the function that contains it */
};

typedef void branch_visit(const struct code_branch *branch, void *arg);

/*
 * Calls a function for each branch in the functions of the table, in order of address. Returns
 * false if there is no decoder for the machine. Linear in the code.
 */
bool callscan_walk(const struct code *code, const struct symtab *symtab, branch_visit *visit,
		   void *arg, struct progress *progress);

#endif
