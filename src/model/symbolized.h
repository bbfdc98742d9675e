/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Recorded call stacks with a symbol for each node. */
#ifndef MODEL_SYMBOLIZED_H
#define MODEL_SYMBOLIZED_H

#include "model/address_space.h"

struct symbolized_stacks {
	const struct recorded *recorded;
	struct address_space address_space;
	struct symtab symtab;  /* symbols of the program and, of modules, those on these stacks */
	const sym_id *frame;   /* for each recorded node, its symbol */
	struct bitset skipped; /* symbols that are left out of stacks: their time counts for their
				  callers, unless a stack has no other symbol */
	sym_id start;          /* the symbol where the program is entered, or SYM_NONE */
	/* Symbols for special frames, or SYM_NONE: */
	sym_id broken; /* the outermost frame of broken stacks */
	sym_id cut;    /* the frame in place of missing functions */
	sym_id unseen; /* the only frame of time without samples */
};

#endif
