/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * x is the entry, y the ratio new / old on a logarithmic scale, so that twice and half as long are
 * equally far from 1:
 *
 *   1.10 |            |
 *        |            +     slower
 *   1.00 |--|--+--|---|-----------
 *        |  +  |  +
 *   0.95 |  |
 */
#include "config.h"

#include "export/historychart.h"

#include "base/quote.h"
#include "export/compared.h"

#include <inttypes.h>
#include <math.h>

enum { CHART_WIDTH = 1200, CHART_HEIGHT = 180, CHART_LEFT = 60, CHART_MARGIN = 14 };
enum { MOST_DRAWN = 200, MOST_FACTOR = 2 };

struct historychart {
	const struct history *history;
	enum paired_cost cost;
	size_t first;     /* the first entry that is drawn */
	size_t n;         /* entries that are drawn, with those that lack the cost */
	double low, high; /* logarithms of the least and the largest ratio on the scale */
	struct output *out;
};

static const struct paired_total *historychart_total(const struct historychart *c, size_t i)
{
	const struct paired_total *total = &c->history->entries.at[c->first + i].total[c->cost];

	return total->known ? total : NULL;
}

/* The end of an entry's interval as far as it is drawn: that of few pairs would flatten all else.
 */
static double historychart_end(const struct paired_total *total, double end)
{
	return !total->tested
		       ? total->ratio
		       : fmin(fmax(end, total->ratio / MOST_FACTOR), total->ratio * MOST_FACTOR);
}

/* Sets the scale, which contains 1 and is not empty. Returns whether there is an entry. */
static bool historychart_scale(struct historychart *c)
{
	bool any = false;

	c->low = log(0.99);
	c->high = log(1.01);
	for (size_t i = 0; i < c->n; i++) {
		const struct paired_total *total = historychart_total(c, i);

		if (!total)
			continue;
		any = true;
		c->low = fmin(c->low, log(historychart_end(total, total->low)));
		c->high = fmax(c->high, log(historychart_end(total, total->high)));
	}
	return any;
}

static double historychart_x(const struct historychart *c, size_t i)
{
	return CHART_LEFT +
	       (CHART_WIDTH - CHART_LEFT - CHART_MARGIN) * ((double)i + 0.5) / (double)c->n;
}

static double historychart_y(const struct historychart *c, double ratio)
{
	return CHART_MARGIN +
	       (CHART_HEIGHT - 2 * CHART_MARGIN) * (c->high - log(ratio)) / (c->high - c->low);
}

/* Writes a line across the picture with the ratio before it. */
static void historychart_write_level(const struct historychart *c, double ratio, const char *class)
{
	double y = historychart_y(c, ratio);

	output_format(
		c->out,
		"<path class=\"%s\" d=\"M%d %.1fH%d\"/><text x=\"%d\" y=\"%.1f\">%.3g</text>\n",
		class, CHART_LEFT, y, CHART_WIDTH, CHART_LEFT - 8, y + 4.0, ratio);
}

static void historychart_write_entry(const struct historychart *c, size_t i,
				     const struct paired_total *total)
{
	const struct history_entry *entry = &c->history->entries.at[c->first + i];
	double x = historychart_x(c, i);

	output_format(c->out, "<g class=\"%s\"><title>", compared_verdict(total->verdict));
	quote_xml(c->out, entry->label);
	output_text(c->out, *entry->label && *entry->time ? ", " : "");
	quote_xml(c->out, entry->time);
	output_format(c->out, ": %.4g of old", total->ratio);
	if (total->tested)
		output_format(c->out, " (%.4g .. %.4g)", total->low, total->high);
	output_format(c->out, ", %.4g to %.4g s</title>", total->seconds[SIDE_BASE],
		      total->seconds[SIDE_NEW]);
	if (total->tested)
		output_format(c->out, "<path d=\"M%.1f %.1fV%.1f\"/>", x,
			      historychart_y(c, historychart_end(total, total->low)),
			      historychart_y(c, historychart_end(total, total->high)));
	output_format(c->out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"4\"/></g>\n", x,
		      historychart_y(c, total->ratio));
}

static void historychart_write_cost(struct historychart *c, const char *name)
{
	uint32_t marked[2] = { 0, 0 };

	if (!historychart_scale(c))
		return;
	for (size_t i = 0; i < c->n; i++) {
		const struct paired_total *total = historychart_total(c, i);

		marked[0] += total && total->verdict == VERDICT_MORE;
		marked[1] += total && total->verdict == VERDICT_LESS;
	}
	output_format(c->out,
		      "<figure><figcaption>%s, new / old: %zu comparisons, %" PRIu32
		      " slower, %" PRIu32 " faster</figcaption>\n",
		      name, c->n, marked[0], marked[1]);
	output_format(c->out,
		      "<svg class=\"history\" role=\"img\" aria-label=\"%s of %zu comparisons, "
		      "the newest right\" viewBox=\"0 0 %d %d\">\n",
		      name, c->n, CHART_WIDTH, CHART_HEIGHT);
	historychart_write_level(c, exp(c->high), "edge");
	historychart_write_level(c, 1.0, "one");
	historychart_write_level(c, exp(c->low), "edge");
	for (size_t i = 0; i < c->n; i++) {
		const struct paired_total *total = historychart_total(c, i);

		if (total)
			historychart_write_entry(c, i, total);
	}
	output_text(c->out, "</svg></figure>\n");
}

void historychart_write(const struct history *history, struct output *out)
{
	size_t n = history->entries.n, drawn = n < MOST_DRAWN ? n : MOST_DRAWN;
	struct historychart c = { .history = history, .first = n - drawn, .n = drawn, .out = out };

	output_text(out, "<h2>History</h2>\n");
	c.cost = PAIRED_ELAPSED;
	historychart_write_cost(&c, "Elapsed time");
	c.cost = PAIRED_CPU;
	historychart_write_cost(&c, "CPU time");
	output_text(out, "<p class=\"muted\">From ");
	quote_xml(out, history->file);
	if (history->nolder > 0 || n > drawn)
		output_text(out, "; older ones are not drawn");
	if (history->nother > 0)
		output_format(out, "; %" PRIu64 " line%s could not be read", history->nother,
			      history->nother == 1 ? "" : "s");
	output_text(out, ". The line of 1 means as long as old; bars are confidence intervals."
			 "</p>\n");
}
