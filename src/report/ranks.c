/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes the differences between data files or threads. */
#include "config.h"

#include "base/display_width.h"
#include "report/labels.h"
#include "report/views.h"

#include <inttypes.h>
#include <string.h>

static const struct explanation ranks_explanation = {
	"How to read what ranks differ by\n",
	"\n"
	" total        time in the function, in all ranks\n"
	" mean         the same of one rank; a rank that lacks the function counts as 0\n"
	" min, max     the least and the most time of a rank, and the rank that has the most\n"
	" std.dev      standard deviation of the time of one rank\n"
	" imbalance    max - mean: if ranks wait for the slowest, so much would be won were all\n"
	"              alike; rows are sorted by it\n"
	" %            (max - mean) / max * R / (R - 1) of R ranks: 0 if all have the same, 100 if\n"
	"              one has all\n"
	" *            more uneven than sampling explains: chance marks fewer than one row in 1000.\n"
	"              Without *, another run may have its maximum in any other rank\n",
	"",
	NULL,
};

static const struct explanation ranks_exact_explanation = {
	"How to read what ranks differ by\n",
	"\n"
	" total        of all ranks\n"
	" mean         the same of one rank; a rank that lacks the function counts as 0\n"
	" min, max     the least and the most that a rank has, each with the rank. Where ranks\n"
	"              wait for one another, the one that waits least is the one that is waited\n"
	"              for\n"
	" std.dev      standard deviation of one rank\n"
	" imbalance    max - mean; rows are sorted by it\n"
	" %            (max - mean) / max * R / (R - 1) of R ranks: 0 if all have the same, 100 if\n"
	"              one has all\n",
	"",
	NULL,
};

static const struct explanation ranks_outliers_explanation = {
	"How to read the ranks that are far from the others\n",
	"\n"
	" distance     sum of squares, over functions, of what the rank is off the median, in\n"
	"              deviations: 1.48 times the median of what all are off, but no less than the\n"
	"              noise of sampling, or where there is none, 1 % of a rank's time\n"
	" time         of the rank, and where its its name ends in .sum it, the host\n"
	" most         what it has more or less than the median in the functions that are farthest\n",
	"",
	NULL,
};

enum { LABEL_LEAST = 4, THREAD_LEAST = 6, LABEL_MOST = 28 };

static const char *ranks_things(const struct ranks *ranks)
{
	return ranks->threads ? "threads" : "profiles";
}

static const char *ranks_thing(const struct ranks *ranks)
{
	return ranks->threads ? "thread" : "rank";
}

/* Returns the width of the column of labels. */
static uint32_t ranks_label_width(const struct text *t)
{
	const struct ranks *ranks = t->view->ranks;
	uint32_t width = ranks->threads ? THREAD_LEAST : LABEL_LEAST;

	for (uint32_t i = 0; i < ranks->n; i++) {
		struct arena scratch = arena_scratch(t->mem);
		struct shown shown =
			display_width_cut_middle(ranks->rank[i].label, LABEL_MOST, &scratch);

		width = shown.columns > width ? shown.columns : width;
		arena_free(&scratch);
	}
	return width;
}

static void ranks_write_label(const struct text *t, const char *label, uint32_t width,
			      struct output *out)
{
	struct arena scratch = arena_scratch(t->mem);
	struct shown shown = display_width_cut_middle(label, width, &scratch);

	output_blanks(out, width - shown.columns);
	output_name(out, shown.text, strlen(shown.text));
	arena_free(&scratch);
}

static void ranks_write_rank(const struct ranks *ranks, const struct rank *rank, struct output *out)
{
	output_format(out, ", %s ", ranks_thing(ranks));
	output_name(out, rank->label, strlen(rank->label));
}

static void ranks_write_title(const struct text *t, const char *title, struct output *out)
{
	const struct ranks *ranks = t->view->ranks;
	const struct rank *least = &ranks->rank[ranks->least], *most = &ranks->rank[ranks->most];

	text_page(out);
	output_style(out, STYLE_TITLE);
	output_format(out, "%s %" PRIu32 " %s of %.2f %.100s%s (%.2f", title, ranks->n,
		      ranks_things(ranks), ranks->mean / t->rate, t->dimension,
		      ranks->has_waiting   ? " on the CPU and waiting"
		      : text_is_clocked(t) ? " of waiting"
					   : "",
		      least->ticks / t->rate);
	if (ranks->exact)
		ranks_write_rank(ranks, least, out);
	output_format(out, " .. %.2f", most->ticks / t->rate);
	ranks_write_rank(ranks, most, out);
	output_char(out, ')');
	output_style(out, STYLE_PLAIN);
	output_char(out, '\n');
}

/* Writes why no row is marked, and which time is missing. */
static void ranks_write_clock(const struct text *t, struct output *out)
{
	const struct clock *clock = &t->a->costs.origin.clock;

	if (t->view->ranks->has_waiting)
		output_text(out, "Waiting is measured by the clock, CPU time sampled");
	else
		output_text(out, text_is_clocked(t) ? "Measured by the clock, not sampled"
						    : "Counts, not samples of time");
	if (clock->nidle > 0)
		output_format(out, "; without %" PRIu32 " idle thread%s", clock->nidle,
			      clock->nidle == 1 ? "" : "s");
	output_text(out, ": no row is marked.\n");
}

/* Writes what the times are, and the number of independent samples with the same information. */
static void ranks_write_noise(const struct text *t, struct output *out)
{
	const struct ranks *ranks = t->view->ranks;

	if (ranks->inclusive)
		output_text(out, "Time with that of callees, from call stacks.\n");
	else if (t->a->costs.origin.measured)
		output_text(out, "Self time, from call stacks.\n");
	if (ranks->exact)
		ranks_write_clock(t, out);
	else if (ranks->per_sample > 1.005)
		output_format(
			out, "Noise is that of %.0f samples in place of %.0f: %s%.1f ticks each.\n",
			ranks->total / ranks->per_sample, ranks->total,
			ranks->per_sample_told ? "signals stood for " : "they look like ",
			ranks->per_sample);
	output_char(out, '\n');
}

static void ranks_write_heads(const struct text *t, uint32_t width, struct output *out)
{
	const struct ranks *ranks = t->view->ranks;

	output_style(out, STYLE_COLUMNS);
	output_format(out, "%10s%10s%10s", "total", "mean", "min");
	if (ranks->exact)
		output_format(out, "  %*s", (int)width, ranks_thing(ranks));
	output_format(out, "%10s  %*s%10s %12s", "max", (int)width, ranks_thing(ranks), "std.dev",
		      "imbalance");
	if (ranks->has_calls)
		output_format(out, "     %12s%12s%12s  %*s", "calls", "calls", "calls", (int)width,
			      "rank");
	output_style(out, STYLE_PLAIN);
	output_char(out, '\n');
	output_style(out, STYLE_COLUMNS);
	for (int i = 0; i < 3; i++)
		output_format(out, "%10.9s", t->dimension);
	if (ranks->exact)
		output_format(out, "  %*s", (int)width, "");
	output_format(out, "%10.9s  %*s%10.9s%10.9s     %%", t->dimension, (int)width, "",
		      t->dimension, t->dimension);
	if (ranks->has_calls)
		output_format(out, " %12s%12s%12s  %*s", "mean", "min", "max", (int)width, "");
	output_text(out, "   name");
	output_style(out, STYLE_PLAIN);
	output_char(out, '\n');
}

static void ranks_write_name(const struct text *t, const struct ranks_row *row, struct output *out)
{
	if (row->symbol == SYM_NONE)
		output_text(out, "[in no function]");
	else
		labels_name(t, row->symbol, out);
}

static void ranks_write_row(const struct text *t, const struct ranks_row *row, uint32_t width,
			    struct output *out)
{
	const struct ranks *ranks = t->view->ranks;

	if (row->uneven && text_is_hot(ranks_excess(row), ranks->mean))
		output_style(out, STYLE_HOT);
	output_fixed(out, row->total / t->rate, 10, 2);
	output_fixed(out, row->mean / t->rate, 10, 2);
	output_fixed(out, row->min / t->rate, 10, 2);
	if (ranks->exact) {
		output_text(out, "  ");
		ranks_write_label(t, row->min < row->max ? ranks->rank[row->least].label : "",
				  width, out);
	}
	output_fixed(out, row->max / t->rate, 10, 2);
	output_text(out, "  ");
	ranks_write_label(t, row->max > 0.0 ? ranks->rank[row->most].label : "", width, out);
	output_fixed(out, row->deviation / t->rate, 10, 2);
	output_fixed(out, ranks_excess(row) / t->rate, 10, 2);
	output_fixed(out, row->imbalance, 6, 1);
	if (ranks->has_calls) {
		output_fixed(out, (double)row->calls / ranks->n, 13, 1);
		output_uint(out, row->min_calls, 12);
		output_uint(out, row->max_calls, 12);
		output_text(out, "  ");
		ranks_write_label(
			t,
			row->min_calls < row->max_calls ? ranks->rank[row->most_calls].label : "",
			width, out);
	}
	output_text(out, row->uneven ? " * " : "   ");
	ranks_write_name(t, row, out);
	output_style(out, STYLE_PLAIN);
	output_char(out, '\n');
}

static void ranks_write_functions(const struct text *t, uint32_t width, struct output *out)
{
	const struct ranks *ranks = t->view->ranks;

	ranks_write_heads(t, width, out);
	for (uint32_t i = 0; i < ranks->nrows; i++)
		ranks_write_row(t, &ranks->row[i], width, out);
	if (ranks->nsmall > 0)
		output_format(out,
			      "\n%" PRIu32 " function%s below 0.5 %% of the longest %s, in every "
			      "one, left out: --ranks=all has them.\n",
			      ranks->nsmall, ranks->nsmall == 1 ? "" : "s", ranks_thing(ranks));
}

static void ranks_write_outlier(const struct text *t, const struct ranks_outlier *outlier,
				uint32_t width, struct output *out)
{
	const struct ranks *ranks = t->view->ranks;
	const struct rank *rank = &ranks->rank[outlier->rank];

	output_text(out, "  ");
	ranks_write_label(t, rank->label, width, out);
	output_fixed(out, outlier->distance, 12, 1);
	output_fixed(out, rank->ticks / t->rate, 10, 2);
	output_text(out, "  ");
	for (uint32_t i = 0; i < outlier->ndeviations; i++) {
		const struct ranks_deviation *d = &outlier->deviation[i];

		output_format(out, "%s%+.2f ", i > 0 ? ", " : "", d->ticks / t->rate);
		ranks_write_name(t, &ranks->row[d->row], out);
	}
	if (rank->host) {
		output_text(out, "  on ");
		output_name(out, rank->host, strlen(rank->host));
	}
	output_char(out, '\n');
}

static void ranks_write_outliers(const struct text *t, uint32_t width, struct output *out)
{
	const struct ranks *ranks = t->view->ranks;

	output_style(out, STYLE_COLUMNS);
	output_format(out, "  %*s%12s%10s  most", (int)width, ranks_thing(ranks), "distance",
		      "time");
	output_style(out, STYLE_PLAIN);
	output_char(out, '\n');
	for (uint32_t i = 0; i < ranks->noutliers; i++)
		ranks_write_outlier(t, &ranks->outlier[i], width, out);
}

void ranks_write(const struct text *t, struct output *out)
{
	bool outliers = t->view->ranks->outlier != NULL;
	uint32_t width = ranks_label_width(t);

	ranks_write_title(t, outliers ? "Ranks far from the others, of" : "Ranks:", out);
	ranks_write_noise(t, out);
	if (outliers)
		ranks_write_outliers(t, width, out);
	else
		ranks_write_functions(t, width, out);
	if (!t->opt->brief)
		text_explain(t,
			     outliers                ? &ranks_outliers_explanation
			     : t->view->ranks->exact ? &ranks_exact_explanation
						     : &ranks_explanation,
			     out);
}
