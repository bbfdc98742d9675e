/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table is plain markup, so that it is readable without scripts; the flame graphs are those of
 * --export=flamegraph, inactive until web/difference.js shows one of them. */
#include "config.h"

#include "export/diffpage.h"

#include "base/path.h"
#include "base/quote.h"
#include "base/short_name.h"
#include "export/compared.h"
#include "export/flamegraph.h"
#include "export/historychart.h"
#include "export/template.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* Pixels of the picture, and the most columns of a name that is not unfolded. */
enum { GRAPH_WIDTH = 1200, NAME_COLUMNS = 48 };

static void diffpage_write_side(const struct difference *d, int k, struct output *out)
{
	static const char *const sides[SIDES] = { [SIDE_BASE] = "Before: ", [SIDE_NEW] = "Now: " };
	const struct difference_total *total = &d->total[k];

	output_text(out, "<p>");
	output_text(out, sides[k]);
	output_format(out, "%" PRIu32 " run%s of %.3f ", total->nruns, total->nruns == 1 ? "" : "s",
		      total->value);
	quote_xml(out, d->unit);
	output_format(out, ", %" PRIu64 " samples; <span class=\"muted\">", total->samples);
	quote_xml(out, total->program);
	for (size_t i = 0; i < total->profile->files.n && i < 3; i++) {
		output_text(out, ", ");
		quote_xml(out, total->profile->files.at[i].name);
	}
	output_text(out, total->profile->files.n > 3 ? ", ...</span></p>\n" : "</span></p>\n");
}

static void diffpage_write_totals(const struct difference *d, struct output *out)
{
	if (d->counts_only)
		output_text(out, "<p>A side has no samples: only calls can be compared.</p>\n");
	else if (difference_is_exact(d))
		output_format(out, "<p>%+.1f %% in all.</p>\n", d->delta);
	else
		output_format(
			out,
			"<p>%s%.1f %% in all, most likely %.1f %% to %.1f %%. Level %g %%.</p>\n",
			d->delta > 0.0 ? "+" : "", d->delta, d->low, d->high, d->level);
}

/* Writes what tells change from noise. */
static void diffpage_write_noise(const struct difference *d, struct output *out)
{
	if (d->waited)
		output_text(out, "<p>Of waiting, not of CPU time.</p>\n");
	else if (d->counted)
		output_text(out,
			    difference_is_exact(d)
				    ? "<p>Events are counted, not sampled: any difference is one "
				      "of these runs.</p>\n"
				    : "<p>Events are counted, not sampled: what runs differ in "
				      "tells change from noise.</p>\n");
	else if (d->repeated)
		output_format(out,
			      "<p>Run-to-run variation is %.1f times that of sampling alone.</p>\n",
			      sqrt(d->variance.excess));
	else if (!d->counts_only)
		output_text(out, "<p>One run on a side: variation from run to run is not known; "
				 "small p may be that.</p>\n");
}

static void diffpage_write_summary(const struct export_view *e, struct output *out)
{
	const struct difference *d = e->difference;
	const char *doubt = compared_doubt(d, e->mem);
	uint32_t n[2] = { 0, 0 };

	for (uint32_t i = 0; i < d->n; i++) {
		n[0] += d->row[i].self.verdict == VERDICT_MORE;
		n[1] += d->row[i].self.verdict == VERDICT_LESS;
	}
	output_text(out, "<h1>");
	quote_xml(out, path_base(e->a->program->path));
	output_format(out, ": %" PRIu32 " function%s %s, %" PRIu32 " %s</h1>\n", n[0],
		      n[0] == 1 ? "" : "s", compared_more(d), n[1], compared_less(d));
	if (doubt)
		output_format(out, "<p class=\"doubt\">%s</p>\n", doubt);
	for (int k = 0; k < SIDES; k++)
		diffpage_write_side(d, k, out);
	diffpage_write_totals(d, out);
	diffpage_write_noise(d, out);
}

/* Whether a column for a side's calls is there: the calls of any side were counted. */
static bool diffpage_has_calls(const struct difference *d)
{
	return d->counts[SIDE_BASE] || d->counts[SIDE_NEW];
}

static void diffpage_write_head(const struct difference *d, struct output *out)
{
	static const char *const side[SIDES] = { [SIDE_BASE] = "before", [SIDE_NEW] = "now" };
	const char *unit = compared_unit(d);

	output_text(out,
		    "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Functions\">"
		    "<table><thead><tr><th scope=\"col\" class=\"name\">function</th>"
		    "<th scope=\"col\" aria-label=\"mark\"></th>");
	output_format(
		out,
		"<th scope=\"col\">before, %s</th><th scope=\"col\">now, %s</th>"
		"<th scope=\"col\" data-magnitude>delta, %s</th><th scope=\"col\">± %g %%</th>"
		"<th scope=\"col\" data-magnitude>delta, %%</th><th scope=\"col\">p</th>",
		unit, unit, unit, d->level);
	if (d->measured)
		output_format(out,
			      "<th scope=\"col\" aria-label=\"mark of incl.\"></th>"
			      "<th scope=\"col\">incl. before</th><th scope=\"col\">incl. now</th>"
			      "<th scope=\"col\" data-magnitude>incl. delta</th>"
			      "<th scope=\"col\">± %g %%</th><th scope=\"col\">incl. p</th>",
			      d->level);
	for (int k = 0; k < SIDES && diffpage_has_calls(d); k++)
		output_format(out, "<th scope=\"col\">calls %s%s</th>", side[k],
			      d->counts[k] ? "" : ", not counted");
	output_text(out, "</tr></thead>\n<tbody>\n");
}

static void diffpage_write_p(const struct difference_test *test, struct output *out)
{
	if (!test->tested)
		output_text(out, "<td></td>");
	else if (test->p < 0.0001)
		output_text(out, "<td>&lt;0.0001</td>");
	else
		output_format(out, "<td>%.4f</td>", test->p);
}

static void diffpage_write_whole(const struct difference_row *row, struct output *out)
{
	output_format(out, "<td class=\"%s\">%c</td><td>%.3f</td><td>%.3f</td><td>%+.3f</td>",
		      compared_verdict(row->whole.verdict), row->whole.verdict,
		      row->inclusive[SIDE_BASE], row->inclusive[SIDE_NEW], row->whole.delta);
	output_format(out, "<td>%.3f</td>", row->whole.margin);
	diffpage_write_p(&row->whole, out);
}

/* Writes the short name; all of it unfolds. */
static void diffpage_write_name(const struct difference_row *row, struct output *out,
				const struct arena *mem)
{
	struct arena scratch = arena_scratch(mem);
	const char *name = short_name_fit(row->name, NAME_COLUMNS, &scratch).text;
	bool whole = strcmp(name, row->name) == 0;

	output_text(out, whole ? "<td class=\"name\">" : "<td class=\"name\"><details><summary>");
	quote_xml(out, name);
	output_text(out, !row->has[SIDE_BASE] ? " (new)" : !row->has[SIDE_NEW] ? " (gone)" : "");
	if (!whole) {
		output_text(out, "</summary><p>");
		quote_xml(out, row->name);
		output_text(out, "</p></details>");
	}
	output_text(out, "</td>");
	arena_free(&scratch);
}

static void diffpage_write_row(const struct export_view *e, const struct difference_row *row,
			       struct output *out)
{
	const struct difference *d = e->difference;
	double base = row->value[SIDE_BASE];

	output_format(out, "<tr class=\"%s\">", compared_verdict(row->self.verdict));
	diffpage_write_name(row, out, e->mem);
	output_format(out, "<td>%c</td><td>%.3f</td><td>%.3f</td>", row->self.verdict, base,
		      row->value[SIDE_NEW]);
	output_format(out, "<td>%+.3f</td><td>%.3f</td>", row->self.delta, row->self.margin);
	output_format(out, base > 0.0 ? "<td>%+.1f</td>" : "<td></td>",
		      row->self.delta / base * 100.0);
	diffpage_write_p(&row->self, out);
	if (d->measured)
		diffpage_write_whole(row, out);
	for (int k = 0; k < SIDES && diffpage_has_calls(d); k++)
		output_format(out, d->counts[k] ? "<td>%.*f</td>" : "<td></td>",
			      row->calls[k] == floor(row->calls[k]) ? 0 : 1, row->calls[k]);
	output_text(out, "</tr>\n");
}

static void diffpage_write_table(const struct export_view *e, struct output *out)
{
	diffpage_write_head(e->difference, out);
	for (uint32_t i = 0; i < e->difference->n; i++)
		diffpage_write_row(e, &e->difference->row[i], out);
	output_text(out, "</tbody></table></div>\n");
}

void diffpage_write(const struct export_view *e, struct output *out)
{
	const char *const *template = template_difference;
	struct export_view side = *e;

	template_write(&template, out);
	quote_xml(out, e->title);
	template_write(&template, out);
	diffpage_write_summary(e, out);
	if (e->history)
		historychart_write(e->history, out);
	template_write(&template, out);
	diffpage_write_table(e, out);
	for (int k = SIDES; k-- > 0;) {
		template_write(&template, out);
		side.side = (enum difference_side)k;
		if (!e->difference->counts_only)
			flamegraph_draw(&side, GRAPH_WIDTH, true, template_flamegraph, out);
	}
	template_write(&template, out);
}
