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

/* What a narrow terminal has no room for, in the order in which it is left out. */
enum ranks_column {
	RANKS_CALLS,
	RANKS_DEVIATION,
	RANKS_TOTAL,
	RANKS_MIN,
	RANKS_MEAN,
	RANKS_EXCESS,
	NRANKS_COLUMNS
};

/* The widths of columns, but for labels: those that are always there, with the mark, and the least
 * for names. */
enum { NUMBER_WIDTH = 10, CALLS_WIDTH = 39, KEPT_WIDTH = 10 + 6 + 3, NAMES_LEAST = 16 };

/* The layout of the table. */
struct ranks_layout {
	uint32_t width; /* of the columns of labels */
	bool hides[NRANKS_COLUMNS];
	uint32_t room; /* columns for names; TEXT_ALL: no limit */
};

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

	output_style(out, STYLE_TITLE);
	output_format(out, "%s %" PRIu32 " %s of %.2f %.100s%s (%.2f", title, ranks->n,
		      ranks_things(ranks), ranks->mean / t->rate, t->dimension,
		      ranks->has_waiting ? " on the CPU and waiting"
					 : clock_words(&t->a->costs.origin.clock),
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

/* Chooses the columns that the terminal has room for. With -b, there are all. */
static struct ranks_layout ranks_fit(const struct text *t, uint32_t width)
{
	const struct ranks *ranks = t->view->ranks;
	struct ranks_layout layout = { .width = width, .room = TEXT_ALL };
	uint32_t label = width + 2, columns = t->opt->brief ? 0 : t->view->columns;
	uint32_t used = KEPT_WIDTH + label, column[NRANKS_COLUMNS] = {
		[RANKS_CALLS] = ranks->has_calls ? CALLS_WIDTH + label - 2 : 0,
		[RANKS_DEVIATION] = NUMBER_WIDTH,
		[RANKS_TOTAL] = NUMBER_WIDTH,
		[RANKS_MIN] = NUMBER_WIDTH + (ranks->exact ? label : 0),
		[RANKS_MEAN] = NUMBER_WIDTH,
		[RANKS_EXCESS] = NUMBER_WIDTH,
	};

	if (columns == 0)
		return layout;
	for (int i = 0; i < NRANKS_COLUMNS; i++)
		used += column[i];
	for (int i = 0; i < NRANKS_COLUMNS && used + NAMES_LEAST > columns; i++) {
		used -= column[i];
		layout.hides[i] = true;
	}
	layout.room = columns > used + DISPLAY_WIDTH_GAP_COLUMNS ? columns - used
								 : DISPLAY_WIDTH_GAP_COLUMNS;
	return layout;
}

/* Writes a head over numbers, unless its column is left out. */
static void ranks_write_head(const struct ranks_layout *layout, enum ranks_column column,
			     const char *head, struct output *out)
{
	if (!layout->hides[column])
		output_format(out, "%*.*s", NUMBER_WIDTH, NUMBER_WIDTH - 1, head);
}

static void ranks_write_heads(const struct text *t, const struct ranks_layout *layout,
			      struct output *out)
{
	const struct ranks *ranks = t->view->ranks;
	int width = (int)layout->width;
	bool calls = ranks->has_calls && !layout->hides[RANKS_CALLS];
	bool least = ranks->exact && !layout->hides[RANKS_MIN];

	output_style(out, STYLE_COLUMNS);
	ranks_write_head(layout, RANKS_TOTAL, "total", out);
	ranks_write_head(layout, RANKS_MEAN, "mean", out);
	ranks_write_head(layout, RANKS_MIN, "min", out);
	if (least)
		output_format(out, "  %*s", width, ranks_thing(ranks));
	output_format(out, "%10s  %*s", "max", width, ranks_thing(ranks));
	ranks_write_head(layout, RANKS_DEVIATION, "std.dev", out);
	if (!layout->hides[RANKS_EXCESS])
		output_format(out, " %12s", "imbalance");
	if (calls)
		output_format(out, "     %12s%12s%12s  %*s", "calls", "calls", "calls", width,
			      "rank");
	output_style(out, STYLE_PLAIN);
	output_char(out, '\n');
	output_style(out, STYLE_COLUMNS);
	ranks_write_head(layout, RANKS_TOTAL, t->dimension, out);
	ranks_write_head(layout, RANKS_MEAN, t->dimension, out);
	ranks_write_head(layout, RANKS_MIN, t->dimension, out);
	if (least)
		output_format(out, "  %*s", width, "");
	output_format(out, "%10.9s  %*s", t->dimension, width, "");
	ranks_write_head(layout, RANKS_DEVIATION, t->dimension, out);
	ranks_write_head(layout, RANKS_EXCESS, t->dimension, out);
	output_text(out, "     %");
	if (calls)
		output_format(out, " %12s%12s%12s  %*s", "mean", "min", "max", width, "");
	output_text(out, "   name");
	output_style(out, STYLE_PLAIN);
	output_char(out, '\n');
}

static void ranks_write_name(const struct text *t, const struct ranks_row *row, uint32_t room,
			     struct output *out)
{
	if (row->symbol == SYM_NONE)
		output_text(out, "[in no function]");
	else
		labels_name_within(t, row->symbol, room, out);
}

static void ranks_write_calls(const struct text *t, const struct ranks_row *row, uint32_t width,
			      struct output *out)
{
	const struct ranks *ranks = t->view->ranks;

	output_fixed(out, (double)row->calls / ranks->n, 13, 1);
	output_uint(out, row->min_calls, 12);
	output_uint(out, row->max_calls, 12);
	output_text(out, "  ");
	ranks_write_label(t,
			  row->min_calls < row->max_calls ? ranks->rank[row->most_calls].label : "",
			  width, out);
}

static void ranks_write_number(const struct ranks_layout *layout, enum ranks_column column,
			       double x, struct output *out)
{
	if (!layout->hides[column])
		output_fixed(out, x, NUMBER_WIDTH, 2);
}

static void ranks_write_row(const struct text *t, const struct ranks_row *row,
			    const struct ranks_layout *layout, struct output *out)
{
	const struct ranks *ranks = t->view->ranks;

	if (row->uneven && text_is_hot(ranks_excess(row), ranks->mean))
		output_style(out, STYLE_HOT);
	ranks_write_number(layout, RANKS_TOTAL, row->total / t->rate, out);
	ranks_write_number(layout, RANKS_MEAN, row->mean / t->rate, out);
	ranks_write_number(layout, RANKS_MIN, row->min / t->rate, out);
	if (ranks->exact && !layout->hides[RANKS_MIN]) {
		output_text(out, "  ");
		ranks_write_label(t, row->min < row->max ? ranks->rank[row->least].label : "",
				  layout->width, out);
	}
	output_fixed(out, row->max / t->rate, 10, 2);
	output_text(out, "  ");
	ranks_write_label(t, row->max > 0.0 ? ranks->rank[row->most].label : "", layout->width,
			  out);
	ranks_write_number(layout, RANKS_DEVIATION, row->deviation / t->rate, out);
	ranks_write_number(layout, RANKS_EXCESS, ranks_excess(row) / t->rate, out);
	output_fixed(out, row->imbalance, 6, 1);
	if (ranks->has_calls && !layout->hides[RANKS_CALLS])
		ranks_write_calls(t, row, layout->width, out);
	output_text(out, row->uneven ? " * " : "   ");
	ranks_write_name(t, row, layout->room, out);
	output_style(out, STYLE_PLAIN);
	output_char(out, '\n');
}

static void ranks_write_functions(const struct text *t, uint32_t width, struct output *out)
{
	const struct ranks *ranks = t->view->ranks;
	struct ranks_layout layout = ranks_fit(t, width);
	size_t start;

	ranks_write_heads(t, &layout, out);
	for (uint32_t i = 0; i < ranks->nrows; i++)
		ranks_write_row(t, &ranks->row[i], &layout, out);
	start = text_begin_sentence(out);
	if (ranks->nsmall > 0)
		output_format(out,
			      "\n%" PRIu32 " function%s below 0.5 %% of the longest %s, in every "
			      "one, left out: --ranks=all has them.\n",
			      ranks->nsmall, ranks->nsmall == 1 ? "" : "s", ranks_thing(ranks));
	text_fold(t->opt->brief ? 0 : t->view->columns, start, out);
}

static void ranks_write_outlier(const struct text *t, const struct ranks_outlier *outlier,
				uint32_t width, struct output *out)
{
	const struct ranks *ranks = t->view->ranks;
	const struct rank *rank = &ranks->rank[outlier->rank];

	size_t start = text_begin_sentence(out);

	output_text(out, "  ");
	ranks_write_label(t, rank->label, width, out);
	output_fixed(out, outlier->distance, 12, 1);
	output_fixed(out, rank->ticks / t->rate, 10, 2);
	output_text(out, "  ");
	for (uint32_t i = 0; i < outlier->ndeviations; i++) {
		const struct ranks_deviation *d = &outlier->deviation[i];

		output_format(out, "%s%+.2f ", i > 0 ? ", " : "", d->ticks / t->rate);
		ranks_write_name(t, &ranks->row[d->row], TEXT_ALL, out);
	}
	if (rank->host) {
		output_text(out, "  on ");
		output_name(out, rank->host, strlen(rank->host));
	}
	output_char(out, '\n');
	text_fold(t->opt->brief ? 0 : t->view->columns, start, out);
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

	size_t start;

	text_page(out);
	start = text_begin_sentence(out);
	ranks_write_title(t, outliers ? "Ranks far from the others, of" : "Ranks:", out);
	ranks_write_noise(t, out);
	text_fold(t->opt->brief ? 0 : t->view->columns, start, out);
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
