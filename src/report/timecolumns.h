/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The time of source lines, in columns before their text. */
#ifndef REPORT_TIMECOLUMNS_H
#define REPORT_TIMECOLUMNS_H

#include "report/text.h"

/*
 * The width of each column; 0: the column is absent. `samples` are whole unless a bin covers two
 * lines.
 */
struct timecolumns_widths {
	int share, self, inclusive, samples, calls, line;
};

/* Writes the columns of a line, separated by blanks; zeros are blank. */
void timecolumns_put(const struct text *t, const struct timecolumns_widths *widths,
		     const struct listing_line *line, struct output *out);

/* Returns the total width of the columns. */
int timecolumns_width(const struct timecolumns_widths *widths);

/* The state for annotated source, whose files are written one after the other; unused without
 * view->line_sums. */
struct timecolumns {
	const struct text *t;
	struct bitset has_shown;     /* files of view->line_sums that were shown */
	double shown;                /* ticks of the lines written so far */
	const struct file_sum *file; /* current file */
	size_t next;                 /* index of its first line not yet written */
	const struct keyed *order;   /* its lines, sorted by descending ticks */
	const char **function;       /* names of the functions of its first included lines */
};

/* Returns the initial state, in t->mem. Linear in the lines with time. */
struct timecolumns timecolumns_make(const struct text *t);

/* Begins a file. All its memory is allocated in mem here, none later. Linear in its lines. */
void timecolumns_begin(struct timecolumns *c, const char *file, struct arena *mem);

/* Writes the explanation of the columns. */
void timecolumns_head(const struct timecolumns *c, struct output *out);

/* Writes the columns of a line, up to the column of calls. Lines must ascend. */
void timecolumns_line(struct timecolumns *c, unsigned line, struct output *out);

/* Writes the lines of the file with most time, and the lines of other files whose code is part of
 * it. */
void timecolumns_tables(const struct timecolumns *c, struct output *out);

/* Writes, after the last file, where the rest of the time was spent. */
void timecolumns_rest(const struct timecolumns *c, struct output *out);

#endif
