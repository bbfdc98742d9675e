/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From the addresses of recorded stacks to symbols, of the program and of its libraries. */
#ifndef ANALYSIS_STACKS_SYMBOLIZE_H
#define ANALYSIS_STACKS_SYMBOLIZE_H

#include "analysis/functions/address_space.h"

enum symbolize_libraries {
	SYMBOLIZE_USUAL,  /* nothing was chosen: SYMBOLIZE_SHOW of what gprof --run recorded, else
			   * the next
			   */
	SYMBOLIZE_OBJECT, /* each is one symbol, "[libm.so.6]" */
	SYMBOLIZE_HIDE,   /* their time is that of their callers */
	SYMBOLIZE_SHOW,   /* they have their own functions, "sin@libm.so.6", as far as known */
};

struct symbolize_input {
	struct address_space_input address_space;
	enum symbolize_libraries
		libraries; /* what those without symbols are: hidden, or else one */
	unsigned parts;    /* of enum address_space_part: what has addresses in the table */
	const struct profile *profile; /* whose calls and ticks are to be in the space, too */
};

/*
 * Makes the table of address_space.h and finds all symbols, in mem; without ADDRESS_SPACE_STACKS,
 * those of no stacks. Code in stubs is skipped. `spread` gets the profile in the space. The program
 * has room. n log n in nodes, calls, ticks and symbols.
 */
struct symbolized_stacks symbolize_stacks(const struct symbolize_input *input,
					  struct profile *spread, struct arena *mem);

#endif
