/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The calls that are in the code, executed or not. */
#ifndef IO_IMAGE_CALLSCAN_H
#define IO_IMAGE_CALLSCAN_H

#include "base/diag.h"
#include "io/image/code.h"
#include "model/program.h"

/*
 * The direct calls between functions of the table, in order of address, in mem. A call counts if it
 * leads exactly to the start of a function, at once or through a linkage table. A jump counts if
 * that is another function, and a symbol there is marked as one: a tail call. What belongs
 * to a function that the table left out by its name has no caller. Where the machine has no decoder
 * there are no calls, and a warning that names path. Linear in the code, times the logarithm of the
 * symbols for its branches.
 */
struct call_sites callscan(const struct code *code, const struct symtab *symtab, const char *path,
			   struct arena *mem, struct diag *diag);

/* A branch in the code. */
struct code_branch {
	uint64_t pc, behind; /* the instruction's, and where it would go on or return to */
	uint64_t target;     /* not of BRANCH_COMPUTED */
	enum branch_kind kind;
	sym_id owner; /* the function that has it */
};

typedef void branch_visit(const struct code_branch *branch, void *arg);

/*
 * Shows each branch in the functions of the table, in order of address. False where the machine has
 * no decoder. Linear in the code.
 */
bool callscan_walk(const struct code *code, const struct symtab *symtab, branch_visit *visit,
		   void *arg, struct progress *progress);

#endif
