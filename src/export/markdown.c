/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A table for comments and summaries of continuous integration: Markdown as GitHub and others read
 * it, with a hidden first line by which a program finds its own comment. Names are between
 * backticks, so that nothing in them is read as a command, a link or a mention. The first rows are
 * visible; as many more as fit into a comment can be unfolded. n log n in functions.
 */
#include "config.h"

#include "export/compared.h"

#include "base/path.h"
#include "base/radix.h"
#include "base/short_name.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* GitHub limits a comment to 65,536 characters. */
enum { MOST_BYTES = 60000, MOST_NAME = 160, LONG_NAME = 60 };

/* The level of confidence, in percent, of the errors of waiting. */
#define MARKDOWN_LEVEL 95.0

struct markdown {
	const struct export_view *e;
	struct output *out;
	uint64_t begin; /* total bytes of the output before the table */
	double z;       /* how many standard deviations waiting is given with */
	bool inclusive; /* the data have inclusive times: these were measured */
};

/* Returns the length of the longest run of backticks in a name. */
static size_t markdown_longest_ticks(const char *name)
{
	size_t most = 0;

	for (size_t n; *name; name += n > 0 ? n : 1) {
		n = strspn(name, "`");
		most = n > most ? n : most;
	}
	return most;
}

static void markdown_fence(const struct markdown *m, size_t ticks)
{
	for (size_t i = 0; i <= ticks && i < MOST_NAME; i++)
		output_char(m->out, '`');
}

/*
 * Writes a name as code. A '|' would end the cell, so it is written as "\|"; a backslash before it,
 * which would be ambiguous with that, as '/'.
 */
static void markdown_name(const struct markdown *m, const char *name)
{
	char shown[MOST_NAME + 1];
	size_t n = 0, ticks;
	bool cut;

	for (; name[n] && n < MOST_NAME; n++)
		shown[n] = name[n];
	cut = name[n] != '\0';
	while (cut && n > 0 && (name[n] & 0xc0) == 0x80)
		n--;
	shown[n] = '\0';
	ticks = markdown_longest_ticks(shown);
	markdown_fence(m, ticks);
	output_text(m->out, ticks > 0 ? " " : "");
	for (size_t i = 0; i < n; i++) {
		unsigned char c = (unsigned char)shown[i];

		if (c == '|')
			output_text(m->out, "\\|");
		else
			output_char(m->out, c < ' ' || c == 127                ? ' '
					    : c == '\\' && shown[i + 1] == '|' ? '/'
									       : (char)c);
	}
	output_text(m->out, ticks > 0 ? " " : "");
	markdown_fence(m, ticks);
	output_text(m->out, cut ? " ..." : "");
}

/* Writes a function's name, the short one if it is long. */
static void markdown_short_name(const struct markdown *m, const char *name)
{
	struct arena scratch = arena_scratch(m->e->mem);

	if (strlen(name) > LONG_NAME)
		name = short_name_make(name, &scratch).name;
	markdown_name(m, name);
	arena_free(&scratch);
}

static bool markdown_is_full(const struct markdown *m)
{
	return m->out->total - m->begin > MOST_BYTES;
}

/* Begins the part that can be unfolded, once the first rows are written. */
static void markdown_fold(const struct markdown *m, uint32_t done, uint32_t all)
{
	if (done == m->e->request->value[EXPORT_ROWS].count && done < all)
		output_format(m->out, "\n<details><summary>%" PRIu32 " more</summary>\n\n",
			      all - done);
}

static void markdown_end(const struct markdown *m, uint32_t done, uint32_t all)
{
	if (done < all)
		output_format(m->out, "\n... and %" PRIu32 " more.\n", all - done);
	if (done > m->e->request->value[EXPORT_ROWS].count)
		output_text(m->out, "\n</details>\n");
}

static void markdown_profile_head(const struct markdown *m)
{
	const struct export_view *e = m->e;

	output_format(m->out, "| self %s | %% |%s%s%s%s function |\n|---:|---:|%s%s%s%s:---|\n",
		      integer_costs_unit(e->integer_costs), m->inclusive ? " inclusive |" : "",
		      e->integer_costs->waiting ? " waiting s |" : "",
		      e->integer_costs->waiting_error ? " +- |" : "",
		      e->integer_costs->has_calls ? " calls |" : "", m->inclusive ? "---:|" : "",
		      e->integer_costs->waiting ? "---:|" : "",
		      e->integer_costs->waiting_error ? "---:|" : "",
		      e->integer_costs->has_calls ? "---:|" : "");
}

static void markdown_time(const struct markdown *m, uint64_t time)
{
	if (m->e->integer_costs->timed)
		output_format(m->out, " %.3f |", (double)time / 1e9);
	else
		output_format(m->out, " %" PRIu64 " |", time);
}

/* Writes the functions with most self time. */
static void markdown_profile(const struct markdown *m)
{
	const struct export_view *e = m->e;
	uint32_t n = e->integer_costs->nlisted, i = 0;
	struct keyed *items = arena_array(e->mem, struct keyed, n);

	for (uint32_t k = 0; k < n; k++)
		items[k] = (struct keyed){ ~e->integer_costs->self[e->integer_costs->listed[k]],
					   e->integer_costs->listed[k] };
	radix_sort_keyed(items, n, e->mem);
	output_text(m->out, "### Profile of ");
	markdown_name(m, path_base(e->a->program->path));
	if (e->integer_costs->exact)
		output_text(m->out, "\n\n");
	else
		output_format(m->out, "\n\n%" PRIu64 " sample%s\n\n", e->integer_costs->nsamples,
			      e->integer_costs->nsamples == 1 ? "" : "s");
	markdown_profile_head(m);
	for (; i < n && !markdown_is_full(m); i++) {
		sym_id s = items[i].id;
		double total = e->integer_costs->total > 0 ? (double)e->integer_costs->total : 1.0;

		markdown_fold(m, i, n);
		if (i == e->request->value[EXPORT_ROWS].count)
			markdown_profile_head(m);
		output_char(m->out, '|');
		markdown_time(m, e->integer_costs->self[s]);
		output_format(m->out, " %.1f |", 100.0 * (double)e->integer_costs->self[s] / total);
		if (m->inclusive)
			markdown_time(m, e->integer_costs->inclusive[s]);
		if (e->integer_costs->waiting)
			markdown_time(m, e->integer_costs->waiting[s]);
		if (e->integer_costs->waiting_error)
			markdown_time(m, rounding_nearest(
						 (double)e->integer_costs->waiting_error[s], m->z));
		if (e->integer_costs->has_calls)
			output_format(m->out, " %s%" PRIu64 " |",
				      costs_may_have_more(&e->a->costs.calls, s) ? ">= " : "",
				      e->a->costs.calls.outer[s]);
		output_char(m->out, ' ');
		markdown_short_name(m, e->name[s]);
		output_text(m->out, " |\n");
	}
	markdown_end(m, i, n);
}

static bool markdown_has_calls(const struct difference *d)
{
	return d->counts[SIDE_BASE] || d->counts[SIDE_NEW];
}

/* The head of the columns that a reader needs first. */
static void markdown_brief_head(const struct markdown *m)
{
	output_text(m->out, "| | function | before | after | % | p |\n"
			    "|:---|:---|---:|---:|---:|---:|\n");
}

/* The head of the other columns, for which the table is unfolded. */
static void markdown_whole_head(const struct markdown *m)
{
	const struct difference *d = m->e->difference;

	output_text(m->out, "| | function | before | after | difference | +- | % | p |");
	output_text(m->out,
		    d->measured ? " inclusive | before | after | difference | +- | p |" : "");
	output_text(m->out, markdown_has_calls(d) ? " calls before | calls after |\n" : "\n");
	output_text(m->out, "|:---|:---|---:|---:|---:|---:|---:|---:|");
	output_text(m->out, d->measured ? ":---|---:|---:|---:|---:|---:|" : "");
	output_text(m->out, markdown_has_calls(d) ? "---:|---:|\n" : "\n");
}

static const char *markdown_verdict(const struct difference *d, enum difference_verdict verdict)
{
	if (verdict == VERDICT_NOISE)
		return difference_is_exact(d) ? "=" : "~";
	if (d->counted)
		return verdict == VERDICT_MORE ? "**more**" : "fewer";
	return verdict == VERDICT_MORE ? "**slower**" : "faster";
}

static void markdown_p(const struct markdown *m, const struct difference_test *test)
{
	if (!test->tested)
		output_text(m->out, " |");
	else if (test->p < 0.0001)
		output_text(m->out, " <0.0001 |");
	else
		output_format(m->out, " %.2g |", test->p);
}

static void markdown_percent(const struct markdown *m, double delta, double base)
{
	output_format(m->out, base > 0.0 ? " %+.1f |" : " |", delta / base * 100.0);
}

static void markdown_function(const struct markdown *m, const struct difference_row *row)
{
	markdown_short_name(m, row->name);
	output_text(m->out, !row->has[SIDE_BASE]  ? " (new) |"
			    : !row->has[SIDE_NEW] ? " (gone) |"
						  : " |");
}

/* A row whose inclusive time alone is marked has that time. */
static void markdown_brief_row(const struct markdown *m, const struct difference_row *row)
{
	bool whole = row->self.verdict == VERDICT_NOISE && row->whole.verdict != VERDICT_NOISE;
	const struct difference_test *test = whole ? &row->whole : &row->self;
	const double *value = whole ? row->inclusive : row->value;

	output_format(m->out, "| %s%s | ", markdown_verdict(m->e->difference, test->verdict),
		      whole ? " with callees" : "");
	markdown_function(m, row);
	output_format(m->out, " %.3f | %.3f |", value[SIDE_BASE], value[SIDE_NEW]);
	markdown_percent(m, test->delta, value[SIDE_BASE]);
	markdown_p(m, test);
	output_char(m->out, '\n');
}

static void markdown_whole_row(const struct markdown *m, const struct difference_row *row)
{
	const struct difference *d = m->e->difference;

	output_format(m->out, "| %s | ", markdown_verdict(d, row->self.verdict));
	markdown_function(m, row);
	output_format(m->out, " %.3f | %.3f | %+.3f | %.3f |", row->value[SIDE_BASE],
		      row->value[SIDE_NEW], row->self.delta, row->self.margin);
	markdown_percent(m, row->self.delta, row->value[SIDE_BASE]);
	markdown_p(m, &row->self);
	if (d->measured) {
		output_format(m->out, " %s | %.3f | %.3f | %+.3f | %.3f |",
			      markdown_verdict(d, row->whole.verdict), row->inclusive[SIDE_BASE],
			      row->inclusive[SIDE_NEW], row->whole.delta, row->whole.margin);
		markdown_p(m, &row->whole);
	}
	for (int k = 0; k < SIDES && markdown_has_calls(d); k++) {
		if (d->counts[k])
			output_format(m->out, " %.*f |",
				      row->calls[k] == floor(row->calls[k]) ? 0 : 1, row->calls[k]);
		else
			output_text(m->out, " not counted |");
	}
	output_char(m->out, '\n');
}

/* What pairs of runs say of the totals, before the functions. */
static void markdown_pairs(const struct markdown *m)
{
	static const char *const name[PAIRED_COSTS] = {
		[PAIRED_ELAPSED] = "elapsed time", [PAIRED_CPU] = "CPU time"
	};
	const struct paired *paired = m->e->paired;

	if (paired->answer == PAIRED_ANSWER_OTHER)
		output_text(m->out, "**The new program gives another answer.**\n\n");
	output_format(m->out,
		      "%" PRIu32 " pair%s of runs\n\n"
		      "| | before s | after s | new/old | from | to | p | total |\n"
		      "|:---|---:|---:|---:|---:|---:|---:|:---|\n",
		      paired->npairs, paired->npairs == 1 ? "" : "s");
	for (int i = 0; i < PAIRED_COSTS; i++) {
		const struct paired_total *total = &paired->total[i];

		if (!total->tested)
			continue;
		output_format(m->out, "| %s | %.4f | %.4f | %.3f | %.3f | %.3f |",
			      markdown_verdict(m->e->difference, total->verdict),
			      total->seconds[SIDE_BASE], total->seconds[SIDE_NEW], total->ratio,
			      total->low, total->high);
		if (total->p < 0.0001)
			output_text(m->out, " <0.0001");
		else
			output_format(m->out, " %.2g", total->p);
		output_format(m->out, " | %s |\n", name[i]);
	}
	output_char(m->out, '\n');
}

static void markdown_compare_title(const struct markdown *m)
{
	const struct difference *d = m->e->difference;
	uint32_t more = 0, less = 0;

	for (uint32_t i = 0; i < d->n; i++) {
		more += d->row[i].self.verdict == VERDICT_MORE;
		less += d->row[i].self.verdict == VERDICT_LESS;
	}
	output_text(m->out, d->waited ? "### Waiting of " : "### Profile of ");
	markdown_name(m, path_base(d->total[SIDE_NEW].program));
	output_format(m->out,
		      ": %" PRIu32 " function%s %s, %" PRIu32
		      " %s\n\n%.3f to %.3f %s a run (%s%.1f %%",
		      more, more == 1 ? "" : "s", compared_more(d), less, compared_less(d),
		      d->total[SIDE_BASE].value, d->total[SIDE_NEW].value,
		      d->timed     ? "s"
		      : d->counted ? d->unit
				   : "samples",
		      d->delta > 0.0 ? "+" : "", d->delta);
	if (difference_is_exact(d))
		output_text(m->out, ")");
	else
		output_format(m->out, ", %.1f %% .. %.1f %%)", d->low, d->high);
	output_format(m->out, ", %" PRIu32 " run%s before and %" PRIu32 " after.",
		      d->total[SIDE_BASE].nruns, d->total[SIDE_BASE].nruns == 1 ? "" : "s",
		      d->total[SIDE_NEW].nruns);
	if (difference_is_exact(d))
		output_text(m->out, " Events are counted: any difference is one of these runs");
	else
		output_format(m->out, " Level %g %%", d->level);
	output_text(m->out, d->normalized ? "; columns are shares in percent.\n\n" : ".\n\n");
}

/*
 * Writes up to `most` rows: those marked as changed, then the others, each in the order of the
 * table. Returns how many there was room for.
 */
static uint32_t markdown_compare_rows(const struct markdown *m, uint32_t most,
				      void write(const struct markdown *m,
						 const struct difference_row *row))
{
	const struct difference *d = m->e->difference;
	uint32_t done = 0;

	for (int marked = 1; marked >= 0; marked--) {
		for (uint32_t i = 0; i < d->n && done < most && !markdown_is_full(m); i++) {
			if (difference_is_marked(&d->row[i]) != marked)
				continue;
			write(m, &d->row[i]);
			done++;
		}
	}
	return done;
}

static void markdown_compare(const struct markdown *m)
{
	const struct difference *d = m->e->difference;
	const char *doubt = compared_doubt(d, m->e->mem);
	uint32_t done;

	if (m->e->paired)
		markdown_pairs(m);
	markdown_compare_title(m);
	if (doubt)
		output_format(m->out, "**%s**\n\n", doubt);
	markdown_brief_head(m);
	markdown_compare_rows(m, (uint32_t)m->e->request->value[EXPORT_ROWS].count,
			      markdown_brief_row);
	output_text(m->out, "\n`~`: cannot be told from noise.\n");
	output_format(m->out,
		      "\n<details><summary>All %" PRIu32 " function%s, with errors%s</summary>\n\n",
		      d->n, d->n == 1 ? "" : "s", d->measured ? " and the time of callees" : "");
	markdown_whole_head(m);
	done = markdown_compare_rows(m, d->n, markdown_whole_row);
	if (done < d->n)
		output_format(m->out, "\n... and %" PRIu32 " more.\n", d->n - done);
	output_text(m->out, "\n</details>\n");
}

static void markdown_write(const struct export_view *e, struct output *out)
{
	const struct markdown m = { e, out, out->total, interval_normal(MARKDOWN_LEVEL),
				    e->a->costs.origin.measured };

	output_text(out, "<!-- gprof -->\n");
	if (e->difference)
		markdown_compare(&m);
	else
		markdown_profile(&m);
}

const struct exporter export_markdown = {
	.compares = true,
	.write = markdown_write,
};
