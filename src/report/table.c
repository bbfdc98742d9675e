/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The one table of reports. */
#include "config.h"

#include "report/report.h"

#include "report/text.h"
#include "report/views.h"

enum { NEEDS_NOTHING, NEEDS_HISTS, NEEDS_ARCS };

/* The order of output, but that the traditional layout has the call graph first. */
enum { INFO, FLAT, GRAPH, INDEX, COUNTS, SOURCE, ORDER, NREPORTS };

static const struct {
	unsigned bit;
	int needs;
	void (*write)(const struct text *t, struct output *out);
} reports[NREPORTS] = {
	[INFO] = { REPORT_INFO, NEEDS_NOTHING, info_write },
	[FLAT] = { REPORT_FLAT, NEEDS_HISTS, flat_write },
	[GRAPH] = { REPORT_GRAPH, NEEDS_ARCS, callgraph_write },
	[INDEX] = { REPORT_GRAPH, NEEDS_ARCS, index_write },
	[COUNTS] = { REPORT_COUNTS, NEEDS_NOTHING, counts_write },
	[SOURCE] = { REPORT_SOURCE, NEEDS_NOTHING, annotate_write },
	[ORDER] = { REPORT_ORDER, NEEDS_NOTHING, ordering_write },
};

void reports_choose(struct report_options *opt, const struct profile *prof)
{
	if (opt->wanted)
		return;
	if (prof->has_hists)
		opt->wanted |= REPORT_FLAT;
	if (prof->has_arcs)
		opt->wanted |= REPORT_GRAPH;
	if (!opt->wanted)
		opt->wanted = REPORT_COUNTS;
	opt->wanted &= ~opt->mentioned;
}

struct bitset reports_locations(const struct analysis *a, const struct report_options *opt,
				struct arena *mem)
{
	struct bitset wanted = bitset_empty(mem, a->graph.nnodes);
	bool all = opt->wanted & REPORT_COUNTS ||
		   (opt->inline_files && opt->wanted & (REPORT_FLAT | REPORT_GRAPH));

	for (sym_id s = 0; s < a->graph.nnodes; s++) {
		bool decorated = a->program->symtab.sym[s].flags & SYM_STATIC &&
				 opt->wanted & REPORT_GRAPH && text_lists(a, opt, s);

		if (all || decorated)
			bitset_add(wanted, s);
	}
	return wanted;
}

static int check_needs(const struct analysis *a, const struct report_options *opt,
		       struct diag *diag)
{
	const char *name = a->profile->files.at[a->profile->files.n - 1].name;

	if (opt->wanted & REPORT_FLAT && !a->profile->has_hists) {
		diag_error(diag, "%s: missing histogram: no samples for a flat profile", name);
		return -1;
	}
	if (opt->wanted & REPORT_GRAPH && !a->profile->has_arcs) {
		diag_error(diag, "%s: missing call-graph data: no calls for a call graph", name);
		return -1;
	}
	return 0;
}

int reports_write(const struct analysis *a, const struct location *locations,
		  const struct report_options *opt, struct output *out, struct arena *mem,
		  struct diag *diag)
{
	struct text text;
	bool checked = false;

	progress_step(diag->progress, "sorting the functions", 0);
	text = text_prepare(a, locations, opt, mem);
	text.progress = diag->progress;
	for (int place = 0; place < NREPORTS; place++) {
		int i = place;

		if (opt->traditional && (place == FLAT || place == GRAPH))
			i = FLAT + GRAPH - place;
		if (!(opt->wanted & reports[i].bit))
			continue;
		if (reports[i].needs != NEEDS_NOTHING && !checked) {
			if (check_needs(a, opt, diag) < 0)
				return -1;
			checked = true;
		}
		reports[i].write(&text, out);
	}
	return 0;
}
