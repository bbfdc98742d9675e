/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The time of source lines, in columns before their text. */
#ifndef REPORT_TIMECOLUMNS_H
#define REPORT_TIMECOLUMNS_H

#include "report/text.h"

/* How wide each column is; 0: there is none. `samples` are whole unless a bin is of two lines. */
struct timecolumns_widths {
	int share, self, inclusive, samples, calls, line;
};

/* Writes the columns of a line, a blank between two: blanks for what is 0. */
void timecolumns_put(const struct text *t, const struct timecolumns_widths *widths,
		     const struct listing_line *line, struct output *out);

/* How wide they are together. */
int timecolumns_width(const struct timecolumns_widths *widths);

/* Below: annotated source. What is shown of one file after the other; nothing at all without
 * view->line_sums. */
struct timecolumns {
	const struct text *t;
	struct bitset has_shown;     /* files of view->line_sums that were shown */
	double shown;                /* ticks of the lines that were written */
	const struct file_sum *file; /* the one that is written now */
	size_t next;                 /* of its lines, the first that was not written */
	const struct keyed *order;   /* of its lines, by ticks, the most first */
	const char **function;       /* the names of the functions of its first included lines */
};

/* In t->mem. Linear in the lines with time. */
struct timecolumns timecolumns_make(const struct text *t);

/* Begins a file, for which it allocates in mem; nothing else does. Linear in its lines. */
void timecolumns_begin(struct timecolumns *c, const char *file, struct arena *mem);

/* Writes what the columns are. */
void timecolumns_head(const struct timecolumns *c, struct output *out);

/* Writes the columns of a line, up to where those of calls begin. Lines ascend. */
void timecolumns_line(struct timecolumns *c, unsigned line, struct output *out);

/* Writes the lines of the file with most time, and those of other files whose code is in it. */
void timecolumns_tables(const struct timecolumns *c, struct output *out);

/* Writes, after the last file, where the rest of the time is. */
void timecolumns_rest(const struct timecolumns *c, struct output *out);

#endif
