/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Columns of intervals in the text reports. */
#ifndef REPORT_INTERVALS_H
#define REPORT_INTERVALS_H

#include "report/text.h"

enum { INTERVALS_WIDTH = 13 }; /* of a column; what is wider moves the rest of its line */

enum { INTERVALS_ROOM = 80 }; /* more than two numbers of any size need */

static inline bool intervals_shown(const struct text *t)
{
	return t->a->confidence.level > 0.0;
}

/* What a report says of the columns. */
#define INTERVALS_COLUMNS \
	"\n"              \
	" +-           how far the figure before it may be off by chance of sampling: from, to\n"
#define INTERVALS_ORDER \
	" ~name        this row and the next may change places: their intervals overlap\n"
#define INTERVALS_MEANING                                                                             \
	"\n"                                                                                          \
	"In so many percent of runs, the interval holds the share that would be found with endless\n" \
	"samples, if they fall regardless of what the program does; seconds are that share of all\n"  \
	"time. With three runs or more it is widened where these differ by more than chance.\n"

/* A figure of ticks with the interval of its share. Without intervals, all zero is one, too. */
struct intervals_figure {
	double ticks, all;
	struct interval share;
};

/* That of ticks of all, with what files differ by in them, as confidence.h has it. */
struct intervals_figure intervals_figure(const struct text *t, double ticks, double all,
					 double files);

/* A column: intervals of a whole that is `scale`; and the last text, as rows repeat. */
struct intervals_column {
	double scale;
	bool zeros; /* -z */
	struct intervals_figure last;
	unsigned n;
	char text[INTERVALS_ROOM];
};

struct intervals_column intervals_column(const struct text *t, double scale);

/*
 * A blank and the interval, from low to high, with two significant digits of its width. Without
 * ticks there is only a bound above, and with -z only.
 */
void intervals_write(struct intervals_column *column, const struct intervals_figure *figure,
		     struct output *out);

/* By how much a figure is off at most, to either side, of a whole that is `scale`. */
double intervals_off(const struct intervals_figure *figure, double scale);

/* Whether a row may belong below the next one: both have ticks, and intervals that overlap. */
bool intervals_unsure(const struct intervals_figure *row, const struct intervals_figure *next);

#endif
