/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "export/webplain.h"

#include "base/quote.h"
#include "export/flamegraph.h"
#include "export/template.h"

#include <inttypes.h>

enum { WEBPLAIN_ROWS = 20, WEBPLAIN_WIDTH = 520 };

/* Writes a time as seconds, or as a number of what was counted. */
static void webplain_put_time(const struct export_view *e, uint64_t time, const char *mark,
			      struct output *out)
{
	if (e->integer_costs->timed)
		output_format(out, "<td>%s%.3f s</td>", mark, (double)time / 1e9);
	else
		output_format(out, "<td>%s%" PRIu64 "</td>", mark, time);
}

static void webplain_write_row(const struct export_view *e, sym_id s, struct output *out)
{
	const struct integer_costs *costs = e->integer_costs;

	output_text(out, "<tr><td class=\"text\">");
	quote_xml(out, e->name[s]);
	output_format(out, "</td><td>%.1f %%</td>",
		      costs->total > 0 ? 100.0 * (double)costs->self[s] / (double)costs->total
				       : 0.0);
	webplain_put_time(e, costs->self[s], "", out);
	webplain_put_time(e, costs->inclusive[s],
			  e->stacks->estimated && costs->inclusive[s] > costs->self[s] ? "~" : "",
			  out);
	output_text(out, "</tr>\n");
}

/* Writes what the profile is, and what is wrong with it. */
static void webplain_write_head(const struct export_view *e, struct output *out)
{
	const struct integer_costs *costs = e->integer_costs;

	output_text(out, "<p>");
	if (costs->timed)
		output_format(out, "%.3f s%s", (double)costs->total / 1e9,
			      costs->waiting ? " on the CPU" : "");
	else
		output_format(out, "%" PRIu64 " %s", costs->total, costs->counted);
	if (!costs->exact)
		output_format(out, ", %" PRIu64 " sample%s", costs->nsamples,
			      costs->nsamples == 1 ? "" : "s");
	if (costs->waiting)
		output_format(out, ", %.3f s of waiting", (double)costs->total_waiting / 1e9);
	if (e->top->elapsed_s > 0.0)
		output_format(out, ", %.3f s elapsed", e->top->elapsed_s);
	output_text(out, "</p>\n");
	for (size_t i = 0; i < e->top->nwrong; i++) {
		output_text(out, "<p>");
		quote_xml(out, e->top->wrong[i]);
		output_text(out, "</p>\n");
	}
}

void webplain_write(const struct export_view *e, struct output *out)
{
	const struct top *top = e->top;
	uint32_t n = top->nrows < WEBPLAIN_ROWS ? top->nrows : WEBPLAIN_ROWS;

	if (e->integer_costs->total == 0 || n == 0)
		return;
	webplain_write_head(e, out);
	output_text(out, "<table>\n<thead><tr><th class=\"text\" scope=\"col\">Function</th>"
			 "<th scope=\"col\">Self %</th><th scope=\"col\">Self</th>"
			 "<th scope=\"col\">Total</th></tr></thead>\n<tbody>\n");
	for (uint32_t i = 0; i < n; i++) {
		if (e->name[top->row[i].function])
			webplain_write_row(e, top->row[i].function, out);
	}
	output_text(out, "</tbody></table>\n");
	flamegraph_draw(e, WEBPLAIN_WIDTH, true, template_picture, out);
}
