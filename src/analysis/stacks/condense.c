/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Replaces the ends of arcs by the cycles that they are in, and leaves out arcs within a cycle. */
#include "config.h"

#include "analysis/stacks/condense.h"

#include "analysis/graph/cycles.h"
#include "analysis/graph/graph.h"

static struct graph condense_graph(const struct analysis *a,
				   const struct integer_costs *integer_costs, struct arena *mem)
{
	struct arena scratch = arena_scratch(mem);
	struct arc *arcs = arena_array(&scratch, struct arc, a->graph.narcs);
	struct graph graph;
	size_t n = 0;

	for (uint32_t i = 0; i < a->graph.narcs; i++) {
		const struct arc *arc = &a->graph.arc[i];

		if (integer_costs->arc[i] > 0 && !analysis_is_inside(a, arc->from, arc->to))
			arcs[n++] =
				(struct arc){ analysis_whole(a, arc->from),
					      analysis_whole(a, arc->to), integer_costs->arc[i] };
	}
	graph = graph_build(analysis_nnodes(a), arcs, n, mem);
	arena_free(&scratch);
	return graph;
}

struct condensed condense_cycles(const struct analysis *a,
				 const struct integer_costs *integer_costs, struct arena *mem)
{
	uint32_t nnodes = analysis_nnodes(a);
	uint64_t *self = arena_array(mem, uint64_t, nnodes);
	uint64_t *samples = arena_array(mem, uint64_t, nnodes);
	struct condensed c = { .graph = condense_graph(a, integer_costs, mem),
			       .input = { self, samples, bitset_empty(mem, nnodes) } };

	c.cycles = cycles_find(&c.graph, mem);
	for (uint32_t i = 0; i < integer_costs->nlisted; i++) {
		sym_id s = integer_costs->listed[i];
		uint32_t node = analysis_whole(a, s);

		bitset_add(c.input.shown, node);
		self[node] += integer_costs->self[s];
		samples[node] += integer_costs->samples[s];
	}
	return c;
}
