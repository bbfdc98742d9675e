/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Columns of intervals in the text reports. */
#ifndef REPORT_INTERVALS_H
#define REPORT_INTERVALS_H

#include "report/text.h"

enum { INTERVALS_WIDTH = 13 }; /* width of a column; a wider text shifts the rest of its line */

enum { INTERVALS_ROOM = 80 }; /* enough for two numbers of any size */

static inline bool intervals_shown(const struct text *t)
{
	return t->a->confidence.level > 0.0;
}

/* The text that explains the columns. */
#define INTERVALS_COLUMNS \
	"\n"              \
	" +-           how far the figure before it may be off by chance of sampling: from, to\n"
#define INTERVALS_ORDER \
	" ~name        this row and the next may change places: their intervals overlap\n"
#define INTERVALS_MEANING                                                                               \
	"\n"                                                                                            \
	"In the percentage of runs given above, the interval holds the share that endless samples\n"    \
	"would find, if they fall regardless of what the program does; seconds are that share of all\n" \
	"time. With three runs or more it is widened where these differ by more than chance.\n"

/* A time in ticks with the interval of its share. All zero if there are no intervals. */
struct intervals_figure {
	double ticks, all;
	struct interval share;
};

/*
 * Returns `ticks` out of `all` with the interval; `files` is the variation between data files, as
 * in confidence.h.
 */
struct intervals_figure intervals_figure(const struct text *t, double ticks, double all,
					 double files);

/*
 * A column of intervals, in the unit in which the whole is `scale`; keeps its last text, since rows
 * often repeat.
 */
struct intervals_column {
	double scale;
	bool zeros; /* option -z */
	struct intervals_figure last;
	unsigned n;
	char text[INTERVALS_ROOM];
};

struct intervals_column intervals_column(const struct text *t, double scale);

/* Writes a blank and the interval, from low to high, with two significant digits of its width.
 * Without ticks only an upper bound is written, and only with -z. */
void intervals_write(struct intervals_column *column, const struct intervals_figure *figure,
		     struct output *out);

/*
 * Returns the greatest distance from the time to a bound of its interval, in the unit in which
 * the whole is `scale`.
 */
double intervals_error(const struct intervals_figure *figure, double scale);

/* Whether the order of a row and the next is uncertain: both have ticks, and their intervals
 * overlap. */
bool intervals_unsure(const struct intervals_figure *row, const struct intervals_figure *next);

#endif
