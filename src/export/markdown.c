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

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* GitHub limits a comment to 65,536 characters. */
enum { MOST_BYTES = 60000, MOST_NAME = 160 };

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
			output_format(m->out, " %" PRIu64 " |", e->a->costs.calls.outer[s]);
		output_char(m->out, ' ');
		markdown_name(m, e->name[s]);
		output_text(m->out, " |\n");
	}
	markdown_end(m, i, n);
}

static void markdown_compare_head(const struct markdown *m)
{
	bool measured = m->e->difference->measured;

	output_text(m->out, "| | before | after | difference | +- | % | p |");
	output_text(m->out, measured ? " inclusive | before | after | difference | +- | p |" : "");
	output_text(m->out, " function |\n|:---|---:|---:|---:|---:|---:|---:|");
	output_text(m->out, measured ? ":---|---:|---:|---:|---:|---:|:---|\n" : ":---|\n");
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
		output_text(m->out, " | ");
	else if (test->p < 0.0001)
		output_text(m->out, " <0.0001 | ");
	else
		output_format(m->out, " %.2g | ", test->p);
}

static void markdown_compare_row(const struct markdown *m, const struct difference_row *row)
{
	double base = row->value[SIDE_BASE];

	output_format(m->out, "| %s | %.3f | %.3f | %+.3f | %.3f |",
		      markdown_verdict(m->e->difference, row->self.verdict), base,
		      row->value[SIDE_NEW], row->self.delta, row->self.margin);
	output_format(m->out, base > 0.0 ? " %+.1f |" : " |", row->self.delta / base * 100.0);
	markdown_p(m, &row->self);
	if (m->e->difference->measured) {
		output_format(m->out, "%s | %.3f | %.3f | %+.3f | %.3f |",
			      markdown_verdict(m->e->difference, row->whole.verdict),
			      row->inclusive[SIDE_BASE], row->inclusive[SIDE_NEW], row->whole.delta,
			      row->whole.margin);
		markdown_p(m, &row->whole);
	}
	markdown_name(m, row->name);
	output_text(m->out, !row->has[SIDE_BASE]  ? " (new) |\n"
			    : !row->has[SIDE_NEW] ? " (gone) |\n"
						  : " |\n");
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

/* Writes the rows marked as changed, then the others, each in the order of the table. */
static void markdown_compare(const struct markdown *m)
{
	const struct difference *d = m->e->difference;
	uint32_t done = 0;

	if (m->e->paired)
		markdown_pairs(m);
	markdown_compare_title(m);
	markdown_compare_head(m);
	for (int marked = 1; marked >= 0; marked--) {
		for (uint32_t i = 0; i < d->n && !markdown_is_full(m); i++) {
			if (difference_is_marked(&d->row[i]) != marked)
				continue;
			markdown_fold(m, done, d->n);
			if (done == m->e->request->value[EXPORT_ROWS].count)
				markdown_compare_head(m);
			markdown_compare_row(m, &d->row[i]);
			done++;
		}
	}
	markdown_end(m, done, d->n);
	output_text(m->out, "\n`~`: cannot be told from noise.\n");
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
