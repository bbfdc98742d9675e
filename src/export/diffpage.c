/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table is plain markup, so that it is readable without scripts; the flame graphs are those of
 * --export=flamegraph, inactive until web/difference.js shows one of them. */
#include "config.h"

#include "export/diffpage.h"

#include "base/path.h"
#include "base/quote.h"
#include "export/compared.h"
#include "export/flamegraph.h"
#include "export/template.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { GRAPH_WIDTH = 1200 };

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

static void diffpage_write_summary(const struct export_view *e, struct output *out)
{
	const struct difference *d = e->difference;
	uint32_t n[2] = { 0, 0 };

	for (uint32_t i = 0; i < d->n; i++) {
		n[0] += d->row[i].self.verdict == VERDICT_MORE;
		n[1] += d->row[i].self.verdict == VERDICT_LESS;
	}
	output_text(out, "<h1>");
	quote_xml(out, path_base(e->a->program->path));
	output_format(out, ": %" PRIu32 " function%s %s, %" PRIu32 " %s</h1>\n", n[0],
		      n[0] == 1 ? "" : "s", compared_more(d), n[1], compared_less(d));
	for (int k = 0; k < SIDES; k++)
		diffpage_write_side(d, k, out);
	if (d->counts_only)
		output_text(out, "<p>A side has no samples: only calls can be compared.</p>\n");
	else if (difference_is_exact(d))
		output_format(out, "<p>%+.1f %% in all.</p>\n", d->delta);
	else
		output_format(
			out,
			"<p>%s%.1f %% in all, most likely %.1f %% to %.1f %%. Level %g %%.</p>\n",
			d->delta > 0.0 ? "+" : "", d->delta, d->low, d->high, d->level);
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

static void diffpage_write_head(const struct difference *d, struct output *out)
{
	const char *unit = compared_unit(d);

	output_format(out,
		      "<div class=\"scroll\" tabindex=\"0\"><table><thead><tr><th></th>"
		      "<th>before, %s</th><th>now, %s</th><th data-magnitude>delta, %s</th>"
		      "<th>± %g %%</th><th data-magnitude>delta, %%</th>",
		      unit, unit, unit, d->level);
	if (d->measured)
		output_format(out,
			      "<th></th><th>incl. before</th><th>incl. now</th>"
			      "<th data-magnitude>incl. delta</th><th>± %g %%</th><th>incl. p</th>",
			      d->level);
	output_text(out, "<th>calls before</th><th>calls now</th><th>p</th>"
			 "<th class=\"name\">function</th></tr></thead>\n<tbody>\n");
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

static void diffpage_write_row(const struct difference *d, const struct difference_row *row,
			       struct output *out)
{
	double base = row->value[SIDE_BASE];

	output_format(out, "<tr class=\"%s\"><td>%c</td><td>%.3f</td><td>%.3f</td>",
		      compared_verdict(row->self.verdict), row->self.verdict, base,
		      row->value[SIDE_NEW]);
	output_format(out, "<td>%+.3f</td><td>%.3f</td>", row->self.delta, row->self.margin);
	output_format(out, base > 0.0 ? "<td>%+.1f</td>" : "<td></td>",
		      row->self.delta / base * 100.0);
	if (d->measured)
		diffpage_write_whole(row, out);
	for (int k = 0; k < SIDES; k++)
		output_format(out, "<td>%.*f</td>", row->calls[k] == floor(row->calls[k]) ? 0 : 1,
			      row->calls[k]);
	diffpage_write_p(&row->self, out);
	output_text(out, "<td class=\"name\">");
	quote_xml(out, row->name);
	output_text(out, !row->has[SIDE_BASE]  ? " (new)</td></tr>\n"
			 : !row->has[SIDE_NEW] ? " (gone)</td></tr>\n"
					       : "</td></tr>\n");
}

void diffpage_write(const struct export_view *e, struct output *out)
{
	const char *const *template = template_difference;
	const struct difference *d = e->difference;
	struct export_view side = *e;

	template_write(&template, out);
	quote_xml(out, e->title);
	template_write(&template, out);
	diffpage_write_summary(e, out);
	template_write(&template, out);
	diffpage_write_head(d, out);
	for (uint32_t i = 0; i < d->n; i++)
		diffpage_write_row(d, &d->row[i], out);
	output_text(out, "</tbody></table></div>\n");
	for (int k = SIDES; k-- > 0;) {
		template_write(&template, out);
		side.side = (enum difference_side)k;
		if (!d->counts_only)
			flamegraph_draw(&side, GRAPH_WIDTH, true, out);
	}
	template_write(&template, out);
}
