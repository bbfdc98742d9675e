/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From the addresses of recorded stacks to symbols, of the program and of its libraries. */
#ifndef ANALYSIS_PLACE_H
#define ANALYSIS_PLACE_H

#include "analysis/space.h"

enum place_libraries {
	PLACE_USUAL,  /* nothing was chosen: PLACE_SHOW of what gprof --run recorded, else the next
		       */
	PLACE_OBJECT, /* each is one symbol, "[libm.so.6]" */
	PLACE_HIDE,   /* their time is that of their callers */
	PLACE_SHOW,   /* they have their own functions, "sin@libm.so.6", as far as known */
};

struct place_input {
	struct space_input space;
	enum place_libraries libraries; /* what those without symbols are: hidden, or else one */
	unsigned parts;                 /* of enum space_part: what has addresses in the table */
	const struct profile *profile;  /* whose calls and ticks are to be in the space, too */
};

/*
 * Makes the table of space.h and finds all symbols, in mem; without SPACE_STACKS, those of no
 * stacks. Code in stubs is skipped. `spread` gets the profile in the space. The program has room.
 * n log n in nodes, calls, ticks and symbols.
 */
struct placed_stacks place_stacks(const struct place_input *input, struct profile *spread,
				  struct arena *mem);

#endif
