/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From the addresses of recorded stacks to symbols, of the program and of its libraries. */
#ifndef ANALYSIS_PLACE_H
#define ANALYSIS_PLACE_H

#include "model/placed.h"
#include "model/program.h"

enum place_libraries {
	PLACE_OBJECT, /* each is one symbol, "[libm.so.6]" */
	PLACE_HIDE,   /* their time is that of their callers */
	PLACE_SHOW,   /* they have their own functions, "sin@libm.so.6", as far as known */
};

struct place_input {
	const struct program *program;
	const struct recorded *recorded;
	enum place_libraries libraries;
	/* One for each module, by its link-time addresses, with gaps; those without symbols are one
	 * symbol. NULL: all are. Only for PLACE_SHOW. */
	const struct symtab *of_module;
};

/*
 * Whether there are enough addresses above a program for all modules: not for a kernel, or from a
 * hostile file.
 */
bool place_has_room(const struct symtab *program, const struct recorded *recorded);

/*
 * Makes the table and finds all symbols, in mem. The code of module i has addresses of its own in
 * the table, PLACE_STRIDE apart, above those of the program. Beside modules there are
 *
 *   [code]          where there was no object: code made at run time
 *   [PROGRAM]       code of the program outside of all its symbols
 *   [stubs]         code that does nothing but go on to a function of another object; skipped
 *   [broken stack]
 *
 * as far as stacks have them. Objects have the last part of their names, or where two have the
 * same, the whole. The program has room. n log n in nodes and symbols.
 */
struct placed_stacks place_stacks(const struct place_input *input, struct arena *mem);

#endif
