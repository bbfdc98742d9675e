/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How much time of call stacks is in functions that have no names, and whose they are. */
#ifndef ANALYSIS_STACKS_NAMELESS_H
#define ANALYSIS_STACKS_NAMELESS_H

#include "model/symbolized.h"

enum { NAMELESS_FILES = 2 };

/* Ticks of CPU time. */
struct nameless {
	uint64_t all;
	uint64_t made;     /* in code that was made at run time and that nobody told the names of */
	uint64_t stripped; /* in functions of files without symbols */
	bool told;         /* there are names of code that was made at run time */
	struct nameless_file {
		const struct module *module; /* NULL: there are no more */
		uint64_t ticks;
	} file[NAMELESS_FILES]; /* of the stripped, those with most of them, the worst first */
};

/*
 * Adds up the ticks of the first kind, by the innermost function of each stack. Linear in samples
 * and modules.
 */
struct nameless nameless_add_up(const struct symbolized_stacks *stacks, const struct arena *mem);

/*
 * Returns how many ticks have a function whose name begins with `name` anywhere on their stacks.
 * Linear in nodes, samples and symbols.
 */
uint64_t nameless_ticks_below(const struct symbolized_stacks *stacks, const char *name,
			      const struct arena *mem);

#endif
