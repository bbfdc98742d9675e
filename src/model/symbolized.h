/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Recorded call stacks with a symbol for each node. */
#ifndef MODEL_SYMBOLIZED_H
#define MODEL_SYMBOLIZED_H

#include "model/address_space.h"

struct symbolized_stacks {
	const struct recorded *recorded;
	struct address_space address_space;
	struct symtab symtab;  /* of it: of modules, those on these stacks */
	const sym_id *frame;   /* the symbol of each recorded node */
	struct bitset skipped; /* symbols that are no frames: their time is that of their caller,
				  unless no other is on the stack */
	sym_id start;          /* where the program is entered; SYM_NONE if that has no symbol */
	/* SYM_NONE if there are none of these: */
	sym_id broken; /* the outermost frame of broken stacks */
	sym_id cut;    /* the frame in place of missing functions */
	sym_id unseen; /* the only frame of time without samples */
};

#endif
