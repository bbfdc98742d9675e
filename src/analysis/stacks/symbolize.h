/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finds the symbols of the addresses in recorded stacks: functions of the program and of its
 * libraries.
 */
#ifndef ANALYSIS_STACKS_SYMBOLIZE_H
#define ANALYSIS_STACKS_SYMBOLIZE_H

#include "analysis/functions/address_space.h"

enum symbolize_libraries {
	SYMBOLIZE_USUAL,  /* the user chose nothing: SYMBOLIZE_SHOW for recordings by gprof --run,
			     else SYMBOLIZE_OBJECT */
	SYMBOLIZE_OBJECT, /* each library is one symbol, such as "[libm.so.6]" */
	SYMBOLIZE_HIDE,   /* libraries are not shown; their time counts for their callers */
	SYMBOLIZE_SHOW,   /* libraries have functions, such as "sin@libm.so.6", as far as these are
			     known */
};

struct symbolize_input {
	struct address_space_input address_space;
	/* whether libraries are hidden, have functions, or are one symbol each */
	enum symbolize_libraries libraries;
	unsigned parts; /* set of enum address_space_part: the data whose addresses get symbols */
	const struct profile *profile; /* the addresses of its calls and ticks get symbols, too */
};

/*
 * Makes the table of address_space.h and finds all symbols, in mem; without ADDRESS_SPACE_STACKS,
 * no symbols of stacks. Marks stubs as skipped. Sets *spread to the profile in the new address
 * space. The caller has checked that the program has room above it. n log n in nodes, calls, ticks
 * and symbols.
 */
struct symbolized_stacks symbolize_stacks(const struct symbolize_input *input,
					  struct profile *spread, struct arena *mem);

#endif
