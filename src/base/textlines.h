/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The lines of a text, and where in it a function that is known to begin on one of them ends. */
#ifndef BASE_TEXTLINES_H
#define BASE_TEXTLINES_H

#include "base/arena.h"

/* Where lines begin, from 1; behind the last, the end of the text. All zero: none. */
struct textlines {
	const char **start;
	unsigned n;
};

/* The lines of a text, in mem. Linear in its bytes. */
struct textlines textlines_find(const char *bytes, size_t size, struct arena *mem);

/*
 * The first line of what belongs to the function that begins on `line`, from 1 to n: such as a
 * comment, or what it returns, without an empty line in between; at most 12 lines above.
 */
unsigned textlines_first(const struct textlines *lines, unsigned line);

/*
 * The line that ends it: the first that begins with '}' or "end" and is indented no more than
 * `line`, at most 200 lines below; or a guess.
 */
unsigned textlines_last(const struct textlines *lines, unsigned line);

#endif
