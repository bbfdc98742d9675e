/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The time of source lines, in columns before the text of annotated source. */
#ifndef REPORT_TIMECOLUMNS_H
#define REPORT_TIMECOLUMNS_H

#include "report/text.h"

/* What is shown of one file after the other; nothing at all without view->line_times. */
struct timecolumns {
	const struct text *t;
	bool *has_shown;        /* whether a file was, at its first line in view->line_times */
	double shown;           /* ticks of the lines that were written */
	struct line_times file; /* of the file at hand */
	size_t next;            /* of its lines, the first that was not written */
	const uint32_t *order;  /* of its lines, by time, the most first */
	const char **function;  /* the names of the functions of its first guests */
};

/* In t->mem. Linear in the lines with time. */
struct timecolumns timecolumns_make(const struct text *t);

/* Goes on to a file, for which it allocates in mem; nothing else does. n log n in its lines. */
void timecolumns_begin(struct timecolumns *c, const char *file, struct arena *mem);

/* Writes what the columns are. */
void timecolumns_head(const struct timecolumns *c, struct output *out);

/* Writes the columns of a line, up to where those of calls begin. Lines ascend. */
void timecolumns_line(struct timecolumns *c, unsigned line, struct output *out);

/* Writes the lines of the file with most time, and those of other files whose code is in it. */
void timecolumns_tables(const struct timecolumns *c, struct output *out);

/* Writes, behind the last file, where the rest of the time is. */
void timecolumns_rest(const struct timecolumns *c, struct output *out);

#endif
