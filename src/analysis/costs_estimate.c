/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "analysis/costs_estimate.h"

#include "analysis/functions/inlined.h"
#include "analysis/functions/resolve.h"
#include "analysis/graph/cycles.h"
#include "analysis/graph/graph.h"
#include "analysis/graph/propagate.h"

struct arc *costs_estimate_arcs(const struct analysis *a, const struct inlined *inlined, size_t *n,
				struct arena *mem)
{
	const struct program *program = a->program;
	uint32_t *raw_of = inlined ? arena_array(mem, uint32_t, a->profile->arcs.n) : NULL;
	struct arc *arcs =
		resolve_arcs(a->profile, &program->symtab, &a->selection, n, raw_of, mem);

	if (inlined)
		inlined_move_arcs(inlined, a->profile, arcs, *n, raw_of);
	if (program->calls.n > 0)
		arcs = resolve_call_sites(&program->calls, &program->symtab, &a->selection, arcs, n,
					  mem);
	return arcs;
}

/*
 * Sets the self times of inlined functions in the flat profile; the call graph does not show
 * inlined functions. What a function loses to them is added to its children, like the time of
 * callees, so that its inclusive time stays the same.
 */
static void costs_estimate_inlined(struct analysis *a, struct arena *mem)
{
	size_t nnodes = analysis_nnodes(a);
	double *children = arena_array(mem, double, nnodes);
	const struct ticks whole = { a->costs.self, a->costs.total };
	struct ticks ticks = inlined_ticks(a->program->inlined, a->profile, &a->program->symtab,
					   &a->selection, &whole, mem);

	memcpy(children, a->costs.children, nnodes * sizeof(*children));
	for (sym_id s = 0; s < a->program->inlined->first; s++)
		children[s] += whole.self[s] - ticks.self[s];
	a->costs.children = children;
	a->costs.self = ticks.self;
	a->costs.total = ticks.total;
}

void costs_estimate(struct analysis *a, struct progress *progress, struct arena *mem)
{
	struct arena scratch = arena_scratch(mem);
	struct ticks ticks;
	struct arc *arcs;
	size_t n;

	progress_step(progress, "adding up samples", 0);
	ticks = resolve_ticks(a->profile, &a->program->symtab, &a->selection, mem);
	a->costs = (struct costs){ .self = ticks.self,
				   .total = ticks.total,
				   .origin = { .start = SYM_NONE } };
	progress_step(progress, "adding up calls", 0);
	arcs = costs_estimate_arcs(a, NULL, &n, &scratch);
	progress_step(progress, "building the call graph", 0);
	a->graph = graph_build(a->program->symtab.nsyms, arcs, n, mem);
	arena_free(&scratch);
	progress_step(progress, "finding cycles", 0);
	a->cycles = cycles_find(&a->graph, mem);
	progress_step(progress, "propagating time", 0);
	a->costs.calls = propagate_count_calls(&a->graph, &a->cycles, mem);
	propagate(&a->costs, &a->graph, &a->cycles, &a->selection, mem);
	if (a->program->inlined)
		costs_estimate_inlined(a, mem);
	a->costs.own = a->costs.self;
	a->costs.all = a->costs.total;
}
