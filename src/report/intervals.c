/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "report/intervals.h"

#include "base/number.h"
#include "base/rounding.h"

#include <string.h>

/* Of a number in an interval; a width of less needs no more digits to be told. */
enum { INTERVALS_DECIMALS = 6 };

struct intervals_figure intervals_figure(const struct text *t, double ticks, double all,
					 double files)
{
	if (!intervals_shown(t))
		return (struct intervals_figure){ .ticks = 0.0 };
	return (struct intervals_figure){ ticks, all,
					  confidence_share(&t->a->confidence, ticks, all, files) };
}

/* Decimals that show two significant digits. */
static unsigned intervals_decimals(double width)
{
	unsigned n = 0;

	for (; width > 0.0 && width < 10.0 && n < INTERVALS_DECIMALS; n++)
		width *= 10.0;
	return n;
}

/* x with so many decimals, at `at`, where NUMBER_ROOM bytes may be written. */
static char *intervals_put(char *at, double x, unsigned decimals)
{
	uint64_t unit = 1, n;

	for (unsigned i = 0; i < decimals; i++)
		unit *= 10;
	n = rounded(x, (double)unit);
	at = number_put(at, n / unit, 0);
	if (decimals > 0)
		*at++ = '.';
	for (n %= unit; decimals-- > 0; n %= unit) {
		unit /= 10;
		*at++ = (char)('0' + n / unit);
	}
	return at;
}

void intervals_write(const struct text *t, const struct intervals_figure *figure, double scale,
		     struct output *out)
{
	double low = figure->share.low * scale, high = figure->share.high * scale;
	bool none = figure->ticks <= 0.0;
	char text[2 * NUMBER_ROOM], *end = text;
	unsigned decimals;
	size_t n;

	output_char(out, ' ');
	if (!(figure->all > 0.0) || (none && !t->opt->zeros)) {
		output_blanks(out, INTERVALS_WIDTH);
		return;
	}
	decimals = intervals_decimals(high - low);
	if (none) {
		*end++ = '<';
	} else {
		end = intervals_put(end, low, decimals);
		*end++ = '-';
	}
	/* 100 % needs no decimals. */
	end = intervals_put(end, high, high == 100.0 ? 0 : decimals);
	n = (size_t)(end - text);
	output_blanks(out, n < INTERVALS_WIDTH ? INTERVALS_WIDTH - n : 0);
	output_bytes(out, text, n);
}

double intervals_off(const struct intervals_figure *figure, double scale)
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
