/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Propagation of time in topological order, after Graham, Kessler and McKusick (gprof: a call graph
 * execution profiler, 1982). Linear in nodes and arcs.
 *
 *   main --1--> parse --3--> scan     Arcs have numbers of calls. Self times are main 1, parse 2,
 *     \----2--> walk ---1---/         walk 0, scan 8 ticks.
 *
 *            self  children
 *   scan      8       0               It was called 4 times.
 *   parse     2       6  = 3/4 * 8
 *   walk      0       2  = 1/4 * 8
 *   main      1      10  = 2 + 6 + 0 + 2
 *
 * A node's fraction is how much of its time counts in the graph, which the user selects (-e, -E,
 * -f, -F). Fractions pass from callers to callees, and so does the flag whether the node is shown;
 * then time passes from callees to callers. The order of the floating-point operations is part of
 * the result: printed digits depend on it.
 */
#include "config.h"

#include "analysis/graph/propagate.h"

enum { AHEAD = 16 };

struct propagate_flow {
	const struct graph *graph;
	const struct cycles *cycles;
	const struct calls *calls;
	const struct selection *sel;
	double *fraction;
	double *ticks; /* self time of each node; for a cycle, that of its members */
	double *inherited, *self, *children;
	struct arc_cost *arc;
	struct bitset shown;
	double total;
};

static uint32_t propagate_cycle_node(const struct propagate_flow *f, uint32_t cycle)
{
	return f->graph->nnodes + cycle - 1;
}

struct calls propagate_count_calls(const struct graph *graph, const struct cycles *cycles,
				   struct arena *mem)
{
	size_t nnodes = (size_t)graph->nnodes + cycles->ncycles;
	uint64_t *outer = arena_array(mem, uint64_t, nnodes);
	uint64_t *self = arena_sparse(
		mem, nnodes, sizeof(*self)); /* arena_sparse(): few functions call themselves */

	for (uint32_t i = 0; i < graph->narcs; i++) {
		const struct arc *arc = &graph->arc[i];
		uint32_t cycle = cycles->of_node[arc->to];
		uint64_t *whole = cycles->of_node[arc->from] == cycle ? self : outer;

		if (arc->from == arc->to) {
			self[arc->to] += arc->ncalls;
			continue;
		}
		outer[arc->to] += arc->ncalls;
		if (cycle)
			whole[graph->nnodes + cycle - 1] += arc->ncalls;
	}
	return (struct calls){ .outer = outer, .self = self };
}

/* Adds to `node`, which is n or its cycle, what n inherits from its callers outside of `cycle`. */
static void propagate_inherit_from_callers(struct propagate_flow *f, uint32_t node, sym_id n,
					   uint32_t cycle)
{
	const struct graph *g = f->graph;
	const uint32_t first = g->in[n], end = g->in[n + 1];
	uint64_t ncalls = f->calls->outer[node];
	double fraction = f->fraction[node];
	bool shown = bitset_has(f->shown, node);

	for (uint32_t i = first; i < end; i++) {
		const struct arc *arc = &g->arc[g->in_arc[i]];

		if (i + AHEAD < end)
			__builtin_prefetch(&g->arc[g->in_arc[i + AHEAD]]);
		if (arc->from == n || (cycle && f->cycles->of_node[arc->from] == cycle))
			continue;
		shown |= bitset_has(f->shown, arc->from);
		if (ncalls != 0)
			fraction += f->fraction[arc->from] * ((double)arc->ncalls / (double)ncalls);
	}
	f->fraction[node] = fraction;
	if (shown)
		bitset_add(f->shown, node);
}

static void propagate_inherit_cycle(struct propagate_flow *f, uint32_t cycle)
{
	const struct cycles *c = f->cycles;
	uint32_t node = propagate_cycle_node(f, cycle);

	for (uint32_t i = c->start[cycle - 1]; i < c->start[cycle]; i++)
		propagate_inherit_from_callers(f, node, c->member[i], cycle);
	for (uint32_t i = c->start[cycle - 1]; i < c->start[cycle]; i++) {
		f->fraction[c->member[i]] = f->fraction[node];
		if (bitset_has(f->shown, node))
			bitset_add(f->shown, c->member[i]);
	}
}

/* Applies the selection to the inherited flag and fraction. */
static void propagate_apply_selection(struct propagate_flow *f, sym_id n)
{
	if (!bitset_has(f->shown, n)) {
		if (bitset_has(f->sel->graph_on, n))
			bitset_add(f->shown, n);
	} else if (bitset_has(f->sel->graph_off, n)) {
		bitset_remove(f->shown, n);
	}
	if (f->fraction[n] == 0.0) {
		if (bitset_has(f->sel->time_on, n))
			f->fraction[n] = 1.0;
	} else if (bitset_has(f->sel->time_off, n)) {
		f->fraction[n] = 0.0;
	}
}

/* Passes flags and fractions down, callers before callees. */
static void propagate_flow_down(struct propagate_flow *f)
{
	uint32_t last_cycle = 0;

	for (uint32_t i = f->graph->nnodes; i-- > 0;) {
		sym_id n = f->cycles->topo[i];
		uint32_t cycle = f->cycles->of_node[n];

		if (!cycle)
			propagate_inherit_from_callers(f, n, n, 0);
		else if (cycle != last_cycle)
			propagate_inherit_cycle(f, cycle);
		last_cycle = cycle;
		propagate_apply_selection(f, n);
		f->self[n] = f->ticks[n] * f->fraction[n];
		f->total += f->self[n];
	}
}

static void propagate_sum_cycles(struct propagate_flow *f)
{
	for (uint32_t cycle = 1; cycle <= f->cycles->ncycles; cycle++) {
		uint32_t node = propagate_cycle_node(f, cycle);

		for (uint32_t i = f->cycles->start[cycle - 1]; i < f->cycles->start[cycle]; i++) {
			sym_id m = f->cycles->member[i];

			if (f->fraction[m] != 0.0)
				f->ticks[node] += f->ticks[m];
		}
		f->self[node] = f->fraction[node] * f->ticks[node];
	}
}

/*
 * Adds the caller's share of the callee's time, as far as that counts, to the caller; returns it.
 */
static struct arc_cost propagate_flow_along(struct propagate_flow *f, uint32_t arc_id)
{
	const struct arc *arc = &f->graph->arc[arc_id];
	uint32_t cycle = f->cycles->of_node[arc->from];
	uint32_t callee_cycle = f->cycles->of_node[arc->to];
	uint32_t callee = callee_cycle ? propagate_cycle_node(f, callee_cycle) : arc->to;
	double part, self, children, share;

	if (arc->ncalls == 0 || arc->from == arc->to || f->fraction[arc->to] == 0.0 ||
	    (cycle && cycle == callee_cycle) || f->calls->outer[callee] == 0)
		return (struct arc_cost){ 0.0, 0.0 };
	part = (double)arc->ncalls / (double)f->calls->outer[callee];
	self = f->ticks[callee] * part;
	children = f->inherited[callee] * part;
	share = self + children;
	f->inherited[arc->from] += share;
	f->children[arc->from] += f->fraction[arc->from] * share;
	if (cycle) {
		f->inherited[propagate_cycle_node(f, cycle)] += share;
		f->children[propagate_cycle_node(f, cycle)] += f->fraction[arc->from] * share;
	}
	return (struct arc_cost){ self * f->fraction[arc->from],
				  children * f->fraction[arc->from] };
}

/* Passes time up, callees before callers. */
static void propagate_flow_up(struct propagate_flow *f)
{
	for (uint32_t i = 0; i < f->graph->nnodes; i++) {
		sym_id n = f->cycles->topo[i];
		bool counts = f->fraction[n] != 0.0;

		for (uint32_t a = f->graph->out[n]; a < f->graph->out[n + 1]; a++)
			f->arc[a] =
				counts ? propagate_flow_along(f, a) : (struct arc_cost){ 0.0, 0.0 };
	}
}

struct bitset propagate_shown(const struct graph *graph, const struct cycles *cycles,
			      const struct calls *calls, const struct selection *sel,
			      struct arena *mem)
{
	struct arena scratch = arena_scratch(mem);
	size_t nnodes = (size_t)graph->nnodes + cycles->ncycles;
	struct propagate_flow f = {
		.graph = graph,
		.cycles = cycles,
		.calls = calls,
		.sel = sel,
		.fraction = arena_array(&scratch, double, nnodes),
		.ticks = arena_array(&scratch, double, nnodes),
		.self = arena_array(&scratch, double, nnodes),
		.shown = bitset_empty(mem, nnodes),
	};

	propagate_flow_down(&f);
	arena_free(&scratch);
	return f.shown;
}

void propagate(struct costs *costs, const struct graph *graph, const struct cycles *cycles,
	       const struct selection *sel, struct arena *mem)
{
	struct arena scratch = arena_scratch(mem);
	size_t nnodes = (size_t)graph->nnodes + cycles->ncycles;
	struct propagate_flow f = {
		.graph = graph,
		.cycles = cycles,
		.calls = &costs->calls,
		.sel = sel,
		.fraction = arena_array(&scratch, double, nnodes),
		.ticks = arena_array(&scratch, double, nnodes),
		.inherited = arena_array(mem, double, nnodes),
		.self = arena_array(mem, double, nnodes),
		.children = arena_array(mem, double, nnodes),
		.arc = arena_unset_array(mem, struct arc_cost, graph->narcs),
		.shown = bitset_empty(mem, nnodes),
	};

	for (uint32_t n = 0; n < graph->nnodes; n++)
		f.ticks[n] = costs->self[n];
	propagate_flow_down(&f);
	propagate_sum_cycles(&f);
	propagate_flow_up(&f);
	arena_free(&scratch);
	costs->children = f.inherited;
	costs->graph = (struct graph_costs){
		.self = f.self,
		.children = f.children,
		.up = f.arc,
		.down = f.arc,
		.shown = f.shown,
		.total = f.total,
	};
}
