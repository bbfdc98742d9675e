/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "report/intervals.h"

#include "base/number.h"
#include "base/rounding.h"

#include <string.h>

/* The most decimals of a bound, however narrow the interval is. */
enum { INTERVALS_DECIMALS = 6 };

struct intervals_figure intervals_figure(const struct text *t, double ticks, double all,
					 double files)
{
	if (!intervals_shown(t))
		return (struct intervals_figure){ .ticks = 0.0 };
	return (struct intervals_figure){ ticks, all,
					  confidence_share(&t->a->confidence, ticks, all, files) };
}

static const double intervals_unit[INTERVALS_DECIMALS + 1] = { 1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6 };

/* Returns how many decimals show two significant digits of the width. */
static unsigned intervals_decimals(double width)
{
	unsigned n = 0;

	while (n < INTERVALS_DECIMALS && width * intervals_unit[n] < 10.0 && width > 0.0)
		n++;
	return n;
}

/* Writes x with this number of decimals at `at`, which has room for NUMBER_ROOM bytes. */
static char *intervals_put(char *at, double x, unsigned decimals)
{
	uint64_t n = rounding_nearest(x, intervals_unit[decimals]), whole;

	if (decimals == 0)
		return number_put(at, n, 0);
	whole = n / (uint64_t)intervals_unit[decimals];
	n -= whole * (uint64_t)intervals_unit[decimals];
	at = number_put(at, whole, 0);
	*at++ = '.';
	for (unsigned i = decimals; i-- > 0; n /= 10)
		at[i] = (char)('0' + n % 10);
	return at + decimals;
}

struct intervals_column intervals_column(const struct text *t, double scale)
{
	return (struct intervals_column){ .scale = scale, .zeros = t->opt->zeros };
}

/* Sets the text of the column to a blank and the interval, right-aligned. */
static void intervals_format(struct intervals_column *column, const struct intervals_figure *figure)
{
	double low = figure->share.low * column->scale, high = figure->share.high * column->scale;
	unsigned decimals = intervals_decimals(high - low), n;
	bool none = figure->ticks <= 0.0;
	char text[2 * NUMBER_ROOM], *end = text;

	if (none) {
		*end++ = '<';
	} else {
		end = intervals_put(end, low, decimals);
		*end++ = '-';
	}
	/* 100 % needs no decimals. */
	end = intervals_put(end, high, high == 100.0 ? 0 : decimals);
	if (!(figure->all > 0.0) || (none && !column->zeros))
		end = text;
	n = (unsigned)(end - text);
	column->n = 1 + (n < INTERVALS_WIDTH ? INTERVALS_WIDTH : n);
	memset(column->text, ' ', column->n);
	memcpy(column->text + column->n - n, text, n);
}

void intervals_write(struct intervals_column *column, const struct intervals_figure *figure,
		     struct output *out)
{
	const struct intervals_figure *last = &column->last;

	if (column->n == 0 || last->ticks != figure->ticks ||
	    last->share.low != figure->share.low || last->share.high != figure->share.high) {
		intervals_format(column, figure);
		column->last = *figure;
	}
	output_bytes(out, column->text, column->n);
}

double intervals_error(const struct intervals_figure *figure, double scale)
{
	double share = figure->ticks < figure->all ? figure->ticks / figure->all : 1.0;
	double below = share - figure->share.low, above = figure->share.high - share;

	return figure->all > 0.0 ? scale * (below > above ? below : above) : 0.0;
}

bool intervals_unsure(const struct intervals_figure *row, const struct intervals_figure *next)
{
	return row->ticks > 0.0 && next->ticks > 0.0 && next->share.high >= row->share.low &&
	       row->share.high >= next->share.low;
}
