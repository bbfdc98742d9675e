/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Measures how many columns text takes on a screen, and shortens text to a number of columns. */
#ifndef BASE_DISPLAY_WIDTH_H
#define BASE_DISPLAY_WIDTH_H

#include "base/arena.h"

#include <stdint.h>

/*
 * Text as a screen shows it, with control characters replaced as by terminal_put(). A cell is a
 * character with the combining characters after it; wide characters take two columns, and a byte
 * that is not UTF-8 takes one.
 */
struct display_width {
	const char *text; /* ends with a NUL */
	uint32_t n;
	/* n + 1 entries: where each cell begins in text, and the end of text */
	const uint32_t *start;
	/* n + 1 entries: how many columns are before each cell, and in all */
	const uint32_t *column;
};

/* Text, and how many columns it takes. */
struct shown {
	const char *text;
	uint32_t columns;
};

/* Returns the whole text, in mem. Linear. */
struct shown display_width_show(const char *text, struct arena *mem);

/* Takes the place of text that is left out; no text can be made narrower than its three columns. */
#define DISPLAY_WIDTH_GAP "..."
enum { DISPLAY_WIDTH_GAP_COLUMNS = 3 };

/*
 * Return the text in at most `columns` columns, in mem. If the text is wider, DISPLAY_WIDTH_GAP
 * replaces its end (cut_end) or its middle (cut_middle). Linear.
 */
struct shown display_width_cut_end(const char *text, uint32_t columns, struct arena *mem);
struct shown display_width_cut_middle(const char *text, uint32_t columns, struct arena *mem);

/*
 * Shortens the name of a function to at most `columns` columns, in mem. Text is left out first from
 * the middle of template arguments, the widest first, then from parameters, then from the whole
 * name. If the name has parameters, namespaces or an address, its beginning is left out then,
 * because what names the function is at the end. Linear.
 */
struct shown display_width_cut_name(const char *name, uint32_t columns, struct arena *mem);

#endif
