/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How many columns of a screen text takes, and text that has to do with fewer. */
#ifndef BASE_DISPLAY_WIDTH_H
#define BASE_DISPLAY_WIDTH_H

#include "base/arena.h"

#include <stdint.h>

/*
 * Text as a screen shows it, with control characters as terminal_put() has them. A cell is a
 * character with those that combine with it; wide characters take two columns, and a byte that is
 * no UTF-8 one.
 */
struct display_width {
	const char *text; /* ends with a NUL */
	uint32_t n;
	const uint32_t *start;  /* n + 1: where each begins in text, and the end, */
	const uint32_t *column; /* and how many columns are before it */
};

/* Of the first n bytes at text; lives in mem. Linear. */
struct display_width display_width_make(const char *text, size_t n, struct arena *mem);

/* Text, and how many columns it takes. */
struct shown {
	const char *text;
	uint32_t columns;
};

/* All of a text, in mem. Linear. */
struct shown display_width_show(const char *text, struct arena *mem);

/* What stands for what is left out, and its columns, the fewest that a text can be shortened to. */
#define DISPLAY_WIDTH_GAP "..."
enum { DISPLAY_WIDTH_GAP_COLUMNS = 3 };

/*
 * A text in at most `columns` columns, in mem. Of one that takes more, the end is left out, or in
 * the second form the middle, and DISPLAY_WIDTH_GAP is in its place. Linear.
 */
struct shown display_width_cut_end(const char *text, uint32_t columns, struct arena *mem);
struct shown display_width_cut_middle(const char *text, uint32_t columns, struct arena *mem);

/*
 * The same for the name of a function. Text is left out first in the middle of template arguments,
 * the longest first, then in parameters, then in the whole name. If that has parameters or
 * namespaces, its start is cut instead, because the function's own name is at its end. Linear.
 */
struct shown display_width_cut_name(const char *name, uint32_t columns, struct arena *mem);

#endif
