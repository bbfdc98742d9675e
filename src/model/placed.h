/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the functions on recorded stacks are in one table of symbols. */
#ifndef MODEL_PLACED_H
#define MODEL_PLACED_H

#include "base/bitset.h"
#include "model/recorded.h"
#include "model/symtab.h"

/* Code of each object has as many addresses in the table; the low bits are those in the object. */
#define PLACE_STRIDE (UINT64_C(1) << 40)

struct placed_stacks {
	const struct recorded *recorded;
	struct symtab symtab;  /* the program's, unchanged, and behind it what other code has on
				  these  stacks: SYM_FOREIGN */
	const sym_id *frame;   /* of each recorded node: its symbol */
	struct bitset skipped; /* symbols that are no frames: their time is that of their caller,
				  unless no other is on the stack */
	sym_id start;          /* where the program is entered; SYM_NONE if that has no symbol */
	sym_id broken;         /* stands above broken stacks; SYM_NONE if there are none */
};

#endif
