/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Random names of functions, of every sort that matters for choosing, sorting and printing symbols.
 */
#ifndef TESTS_TOOLS_RANDNAMES_H
#define TESTS_TOOLS_RANDNAMES_H

#include "prng.h"

#include <stddef.h>

enum { NAME_SIZE = 400 };

/* Kinds of unusual names; any can be off. */
struct name_features {
	bool mangled, underscores, longs, few;
};

/* An ordinary name: a word and `id`, or one of few words so that names repeat. */
void name_ordinary(struct prng *r, const struct name_features *f, unsigned id, char out[NAME_SIZE]);

/* A name with dots, dollars and the like, which matter for local symbols. */
void name_suffixed(struct prng *r, char out[NAME_SIZE]);

/* One of the names that profiling itself leaves in a program, left out of reports by default. */
const char *name_of_profiler(struct prng *r);

#endif
