/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "report/comparison.h"

#include "base/short_name.h"
#include "report/text.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* How many rows without a mark are listed unless all are requested. */
enum { MOST_UNMARKED = 10 };

/* Smaller weights, in ticks per sample, are not mentioned: they are 1.00 when rounded. */
static const double least_weight = 1.005;

static const char comparison_columns[] =
	" + - ~      more, less, or: cannot be told from noise\n"
	" base, new  time in the function itself, of a run\n"
	" delta      new less base; +- half of the interval in which the true difference is in so\n"
	"            many of 100 cases; and in percent of base\n"
	" incl.      time in the function and in all that it called, from call stacks, with a mark of\n"
	"            its own: + or - here alone, and what it calls became slower or faster\n"
	" calls      of a run, from other functions; they are counted, so any difference is real\n"
	" p          how likely chance alone makes a difference as large as this one\n"
	" name       the function; (new) or (gone): the other program has none\n";

static const char comparison_note[] =
	"Samples fall by chance, so two profiles of one program differ, too. Marked are functions\n"
	"whose difference is larger than that explains; at a level of 95 %, the chance that any mark\n"
	"of the report is wrong is at most 5 %, however many functions there are. What is not marked\n"
	"may differ, but more runs are needed to tell.\n";

/* What a narrow terminal has no room for, in the order in which it is left out, and its widths. */
enum comparison_column {
	COMPARISON_CALLS,
	COMPARISON_WHOLE,
	COMPARISON_MARGIN,
	COMPARISON_P,
	COMPARISON_DELTA,
	COMPARISON_NEW,
	NCOMPARISON_COLUMNS
};

static const unsigned char comparison_width[NCOMPARISON_COLUMNS] = {
	[COMPARISON_CALLS] = 22, [COMPARISON_WHOLE] = 49, [COMPARISON_MARGIN] = 9,
	[COMPARISON_P] = 9,      [COMPARISON_DELTA] = 10, [COMPARISON_NEW] = 10,
};

/* Columns that are always there: a mark, the base, the change in percent, a blank before the name;
 * and the fewest for names. */
enum {
	COMPARISON_KEPT = 1 + 9 + 10 + 1,
	COMPARISON_NAMES = 19,
	COMPARISON_COUNTS = 34,
	REMARK_COLUMNS = 7
};

struct comparison {
	const struct difference *d;
	const struct comparison_options *opt;
	struct output *out;
	int decimals; /* decimals of times */
	bool calls;   /* any calls were counted */
	bool hides[NCOMPARISON_COLUMNS];
	uint32_t room;     /* columns for names; 0: as many as they have */
	struct arena *mem; /* for names that are cut */
};

static const char *comparison_unit(const struct difference *d)
{
	return strcmp(d->unit, "seconds") == 0 ? "s" : d->unit;
}

static void comparison_write_side(const struct comparison *c, const char *what,
				  const struct difference_total *total)
{
	output_format(c->out, "%s %" PRIu32 " run%s of %.*f ", what, total->nruns,
		      total->nruns == 1 ? "" : "s", c->decimals, total->value);
	output_name(c->out, comparison_unit(c->d), strlen(comparison_unit(c->d)));
}

static void comparison_write_title(const struct comparison *c)
{
	const struct difference *d = c->d;

	output_style(c->out, STYLE_TITLE);
	output_text(c->out, d->waited ? "Difference of waiting:" : "Difference of profiles:");
	output_style(c->out, STYLE_PLAIN);
	comparison_write_side(c, " base", &d->total[SIDE_BASE]);
	comparison_write_side(c, ", new", &d->total[SIDE_NEW]);
	if (difference_is_exact(d))
		output_format(c->out, " (%+.1f %%)", d->delta);
	else if (!d->counts_only)
		output_format(c->out, " (%s%.1f %%, %.1f %% .. %.1f %%)", d->delta > 0.0 ? "+" : "",
			      d->delta, d->low, d->high);
	output_char(c->out, '\n');
}

/*
 * Writes a line such as "412 functions matched (409 by name, 3 without suffixes), 2 new, 1 gone."
 */
static void comparison_write_matches(const struct comparison *c)
{
	static const char *const how[RULES] = { [RULE_NAME] = "by name",
						[RULE_SUFFIX] = "without suffixes",
						[RULE_NUMBER] = "but for numbers",
						[RULE_RENAMED] = "renamed" };
	const struct difference *d = c->d;
	uint32_t n = 0;
	bool first = true;

	for (int i = RULE_NAME; i < RULES; i++)
		n += d->matched[i];
	output_format(c->out, "\n %" PRIu32 " function%s matched", n, n == 1 ? "" : "s");
	for (int i = RULE_NAME; i < RULES; i++) {
		if (d->matched[i] == 0)
			continue;
		output_format(c->out, "%s%" PRIu32 " %s", first ? " (" : ", ", d->matched[i],
			      how[i]);
		first = false;
	}
	output_format(c->out, "%s, %" PRIu32 " new, %" PRIu32 " gone.", first ? "" : ")", d->nnew,
		      d->ngone);
	if (!d->counts_only && !difference_is_exact(d))
		output_format(c->out, " Level %g %%.", d->level);
	output_char(c->out, '\n');
}

/* Writes how many ticks a sample counts for, if ticks carry less information than samples. */
static void comparison_write_weight(const struct comparison *c)
{
	double base = c->d->total[SIDE_BASE].per_sample, new = c->d->total[SIDE_NEW].per_sample;

	if (base < least_weight && new < least_weight)
		return;
	output_format(c->out,
		      " Some samples stand for several: %.2f (base) and %.2f (new) tell as much as "
		      "one; p and +- allow for it.\n",
		      base, new);
}

static void comparison_write_noise(const struct comparison *c)
{
	const struct difference *d = c->d;
	bool both = d->total[SIDE_BASE].nruns == 1 && d->total[SIDE_NEW].nruns == 1;

	if (d->counts_only)
		output_text(c->out, " A side has no samples: these are differences of calls.\n");
	else if (d->waited)
		output_text(c->out, " Waiting is measured, not sampled: what runs differ in tells "
				    "change from noise. CPU time is not compared.\n");
	else if (difference_is_exact(d))
		output_text(c->out,
			    " Events are counted, not sampled: any difference is one of these "
			    "runs. How much runs differ\n by themselves is not known: that "
			    "takes two or more on each side.\n");
	else if (d->counted)
		output_text(c->out, " Events are counted, not sampled: what runs differ in tells "
				    "change from noise.\n");
	else if (d->repeated)
		output_format(c->out,
			      " Run-to-run variation is %.1f times that of sampling alone%s.\n",
			      sqrt(d->variance.excess),
			      d->variance.many_runs ? "; each function is tested by its own" : "");
	else
		output_format(c->out,
			      " One run %s side: variation from run to run is not known; small p "
			      "may be that.\n",
			      both ? "a" : "on a");
	if (!d->counts_only)
		comparison_write_weight(c);
	for (int k = 0; k < SIDES && c->calls; k++) {
		if (!d->counts[k])
			output_format(c->out, " Calls (?) were not counted in %s.\n",
				      k == SIDE_BASE ? "base" : "new");
	}
	if (d->other_clocks)
		output_text(c->out, " CPU time alone is compared, not waiting or other events.\n");
	if (d->detectable > 0.0) {
		output_format(c->out, " A change of %.*f %% would be found in 4 of 5 cases in ",
			      d->detectable < 10.0 ? 1 : 0, d->detectable);
		output_name(c->out, d->largest, strlen(d->largest));
		output_text(c->out, ", the largest.\n");
	}
	output_char(c->out, '\n');
}

/* Writes a head of a column that is not left out, aligned to the right. */
static void comparison_write_head(const struct comparison *c, enum comparison_column column,
				  int width, const char *head)
{
	if (!c->hides[column])
		output_format(c->out, " %*s", width, head);
}

static void comparison_write_heads(const struct comparison *c)
{
	const struct difference *d = c->d;
	char unit[20], level[20];

	snprintf(unit, sizeof(unit), "%.9s", d->normalized ? "% of all" : d->unit);
	snprintf(level, sizeof(level), "%g %%", d->level);
	output_style(c->out, STYLE_COLUMNS);
	output_format(c->out, " %9s", "base");
	comparison_write_head(c, COMPARISON_NEW, 9, "new");
	comparison_write_head(c, COMPARISON_DELTA, 9, "delta");
	comparison_write_head(c, COMPARISON_MARGIN, 8, level);
	output_format(c->out, " %9s", "delta");
	if (d->measured && !c->hides[COMPARISON_WHOLE])
		output_format(c->out, "  %9s %9s %9s %8s %8s", "base", "new", "delta", level, "p");
	if (c->calls && !c->hides[COMPARISON_CALLS])
		output_format(c->out, " %10s %10s", "calls", "calls");
	output_style(c->out, STYLE_PLAIN);
	output_char(c->out, '\n');
	output_style(c->out, STYLE_COLUMNS);
	output_char(c->out, ' ');
	for (int i = 0; i < 3 - c->hides[COMPARISON_NEW] - c->hides[COMPARISON_DELTA]; i++) {
		output_blanks(c->out, (i > 0) + 9 - strlen(unit));
		output_name(c->out, unit, strlen(unit));
	}
	comparison_write_head(c, COMPARISON_MARGIN, 8, "+-");
	output_format(c->out, " %9s", "%");
	if (d->measured && !c->hides[COMPARISON_WHOLE])
		output_format(c->out, "  %9s %9s %9s %8s %8s", "incl.", "incl.", "incl.", "+-",
			      "incl.");
	if (c->calls && !c->hides[COMPARISON_CALLS])
		output_format(c->out, " %10s %10s", "base", "new");
	comparison_write_head(c, COMPARISON_P, 8, "p");
	output_text(c->out, " name");
	output_style(c->out, STYLE_PLAIN);
	output_char(c->out, '\n');
}

static void comparison_write_p(const struct comparison *c, const struct difference_test *test)
{
	if (!test->tested)
		output_blanks(c->out, 9);
	else if (test->p < 0.0001)
		output_format(c->out, " %8s", "<0.0001");
	else
		output_format(c->out, " %8.*f",
			      test->p < 0.001 ? 4
			      : test->p < 0.1 ? 3
					      : 2,
			      test->p);
}

static void comparison_write_name(const struct comparison *c, const struct difference_row *row)
{
	const char *name = row->name;
	uint32_t remark = row->has[SIDE_BASE] && row->has[SIDE_NEW] ? 0 : REMARK_COLUMNS;

	if (c->room > 0)
		name = short_name_fit(name,
				      c->room > remark + DISPLAY_WIDTH_GAP_COLUMNS
					      ? c->room - remark
					      : DISPLAY_WIDTH_GAP_COLUMNS,
				      c->mem)
			       .text;
	output_char(c->out, ' ');
	output_name(c->out, name, strlen(name));
	if (!row->has[SIDE_BASE])
		output_text(c->out, " (new)");
	else if (!row->has[SIDE_NEW])
		output_text(c->out, " (gone)");
}

/* Writes a zero without the sign that rounding leaves. */
static void comparison_write_delta(const struct comparison *c, double delta, int decimals)
{
	double least = 0.5 * pow(10.0, -decimals);

	output_format(c->out, delta > -least && delta < least ? " %9.*f" : " %+9.*f", decimals,
		      fabs(delta) < least ? 0.0 : delta);
}

/* Calls per run, without decimals unless they are the mean of several runs. */
static void comparison_write_calls(const struct comparison *c, double calls)
{
	bool whole = calls == floor(calls) || calls >= 1e9;

	output_format(c->out, " %10.*f", whole ? 0 : 1, calls);
}

/* Writes an inclusive time after its mark. */
static void comparison_write_whole(const struct comparison *c, const struct difference_row *row)
{
	output_format(c->out, " %c%9.*f %9.*f", row->whole.verdict, c->decimals,
		      row->inclusive[SIDE_BASE], c->decimals, row->inclusive[SIDE_NEW]);
	comparison_write_delta(c, row->whole.delta, c->decimals);
	output_format(c->out, " %8.*f", c->decimals, row->whole.margin);
	comparison_write_p(c, &row->whole);
}

static void comparison_write_row(const struct comparison *c, const struct difference_row *row)
{
	double base = row->value[SIDE_BASE], new = row->value[SIDE_NEW];
	bool marked = difference_is_marked(row);

	if (marked)
		output_style(c->out, STYLE_HOT);
	output_format(c->out, "%c%9.*f", row->self.verdict, c->decimals, base);
	if (!c->hides[COMPARISON_NEW])
		output_format(c->out, " %9.*f", c->decimals, new);
	if (!c->hides[COMPARISON_DELTA])
		comparison_write_delta(c, row->self.delta, c->decimals);
	if (!c->hides[COMPARISON_MARGIN])
		output_format(c->out, " %8.*f", c->decimals, row->self.margin);
	if (base > 0.0)
		comparison_write_delta(c, row->self.delta / base * 100.0, 1);
	else
		output_blanks(c->out, 10);
	if (c->d->measured && !c->hides[COMPARISON_WHOLE])
		comparison_write_whole(c, row);
	for (int k = 0; k < SIDES && c->calls && !c->hides[COMPARISON_CALLS]; k++) {
		if (c->d->counts[k])
			comparison_write_calls(c, row->calls[k]);
		else
			output_format(c->out, " %10s", "?");
	}
	if (!c->hides[COMPARISON_P])
		comparison_write_p(c, &row->self);
	comparison_write_name(c, row);
	if (marked)
		output_style(c->out, STYLE_PLAIN);
	output_char(c->out, '\n');
}

/* The rows that are not listed, and their times. */
struct comparison_rest {
	uint32_t n;
	double value[SIDES];
};

static void comparison_write_rest(const struct comparison *c, const struct comparison_rest *rest)
{
	size_t start = text_begin_sentence(c->out);

	if (rest->n == 0)
		return;
	output_format(c->out, "  ...  %" PRIu32 " other%s: %.*f -> %.*f, ", rest->n,
		      rest->n == 1 ? "" : "s", c->decimals, rest->value[SIDE_BASE], c->decimals,
		      rest->value[SIDE_NEW]);
	if (difference_is_exact(c->d))
		output_text(c->out, "as many as before\n");
	else
		output_format(c->out, "%s be told from noise\n",
			      rest->n == 1 ? "cannot" : "none can");
	text_fold(c->opt->columns, start, c->out);
}

static void comparison_write_rows(const struct comparison *c)
{
	struct comparison_rest rest = { 0 };
	unsigned unmarked = 0;

	comparison_write_heads(c);
	for (uint32_t i = 0; i < c->d->n; i++) {
		const struct difference_row *row = &c->d->row[i];
		bool tested = row->self.tested || (c->d->measured && row->whole.tested);
		bool shown = difference_is_marked(row) || c->opt->all ||
			     (tested && unmarked++ < MOST_UNMARKED);

		if (shown) {
			comparison_write_row(c, row);
			continue;
		}
		rest.n++;
		for (int k = 0; k < SIDES; k++)
			rest.value[k] += row->value[k];
	}
	comparison_write_rest(c, &rest);
}

/* Without samples: lists functions whose calls increased or decreased. */
static void comparison_write_counts(const struct comparison *c)
{
	uint32_t same = 0;

	output_style(c->out, STYLE_COLUMNS);
	output_format(c->out, " %10s %10s %10s", "calls", "calls", "calls");
	output_style(c->out, STYLE_PLAIN);
	output_char(c->out, '\n');
	output_style(c->out, STYLE_COLUMNS);
	output_format(c->out, " %10s %10s %10s name", "base", "new", "delta");
	output_style(c->out, STYLE_PLAIN);
	output_char(c->out, '\n');
	for (uint32_t i = 0; i < c->d->n; i++) {
		const struct difference_row *row = &c->d->row[i];
		double delta = row->calls[SIDE_NEW] - row->calls[SIDE_BASE];

		if (delta == 0.0 && !c->opt->all) {
			same++;
			continue;
		}
		output_char(c->out, delta > 0.0 ? '+' : delta < 0.0 ? '-' : '=');
		comparison_write_calls(c, row->calls[SIDE_BASE]);
		comparison_write_calls(c, row->calls[SIDE_NEW]);
		output_format(c->out, delta != 0.0 ? " %+10.*f" : " %10.*f",
			      delta == floor(delta) ? 0 : 1, delta);
		comparison_write_name(c, row);
		output_char(c->out, '\n');
	}
	if (same > 0)
		output_format(c->out, "  ...  %" PRIu32 " other%s: as many calls as before\n", same,
			      same == 1 ? "" : "s");
}

/* Chooses the columns that the terminal has room for, and the room for names. */
static void comparison_fit(struct comparison *c)
{
	const struct difference *d = c->d;
	uint32_t used = COMPARISON_KEPT, columns = c->opt->columns;

	if (columns == 0)
		return;
	for (int i = 0; i < NCOMPARISON_COLUMNS; i++) {
		c->hides[i] = (i == COMPARISON_CALLS && !c->calls) ||
			      (i == COMPARISON_WHOLE && !d->measured);
		used += c->hides[i] ? 0 : comparison_width[i];
	}
	for (int i = 0; i < NCOMPARISON_COLUMNS && used + COMPARISON_NAMES > columns; i++) {
		used -= c->hides[i] ? 0 : comparison_width[i];
		c->hides[i] = true;
	}
	if (d->counts_only)
		used = COMPARISON_COUNTS;
	c->room = columns > used + DISPLAY_WIDTH_GAP_COLUMNS ? columns - used
							     : DISPLAY_WIDTH_GAP_COLUMNS;
}

/* Writes what precedes the rows. */
static void comparison_write_sentences(const struct comparison *c)
{
	size_t start;

	text_page(c->out);
	start = text_begin_sentence(c->out);
	comparison_write_title(c);
	comparison_write_matches(c);
	comparison_write_noise(c);
	text_fold(c->opt->columns, start, c->out);
}

void comparison_write(const struct difference *d, const struct comparison_options *opt,
		      struct arena *mem, struct output *out)
{
	struct arena scratch = arena_scratch(mem);
	struct comparison c = { .d = d, .opt = opt, .out = out, .decimals = 2, .mem = &scratch };

	if (d->total[SIDE_BASE].value < 10.0 && d->total[SIDE_NEW].value < 10.0 && !d->normalized)
		c.decimals = 3;
	/* Times in ticks are whole numbers, unless they are averages over runs. */
	if (d->per_unit == 1.0)
		c.decimals = d->total[SIDE_BASE].nruns > 1 || d->total[SIDE_NEW].nruns > 1;
	for (uint32_t i = 0; i < d->n && !c.calls; i++)
		c.calls = d->row[i].amount[SIDE_BASE].calls + d->row[i].amount[SIDE_NEW].calls > 0;
	comparison_fit(&c);
	comparison_write_sentences(&c);
	if (d->counts_only)
		comparison_write_counts(&c);
	else
		comparison_write_rows(&c);
	if (!opt->brief) {
		output_char(out, '\n');
		text_heading(out, STYLE_TITLE, "How to read the difference\n\n");
		text_refill(opt->columns, comparison_columns, out);
		text_page(out);
		text_refill(opt->columns, comparison_note, out);
	}
	arena_free(&scratch);
}
