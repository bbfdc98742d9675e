/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Splits a text into lines, and guesses where in it a function ends that begins on a known line. */
#ifndef BASE_TEXTLINES_H
#define BASE_TEXTLINES_H

#include "base/arena.h"

/* Where lines begin, counted from 1; one more entry is the end of the text. All zero: no lines. */
struct textlines {
	const char **start;
	unsigned n;
};

/* Finds the lines of a text; the result lives in mem. Linear in its bytes. */
struct textlines textlines_find(const char *bytes, size_t size, struct arena *mem);

/*
 * Returns the first line of the text that belongs to the function beginning on `line` (1 to n),
 * such as a comment or its return type: at most 12 lines above, without an empty line in between.
 */
unsigned textlines_first(const struct textlines *lines, unsigned line);

/*
 * Returns the line that ends the function: the first one that begins with '}' or "end" and is
 * indented no more than `line`, at most 200 lines below; else a guess.
 */
unsigned textlines_last(const struct textlines *lines, unsigned line);

#endif
