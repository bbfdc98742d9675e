/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Propagation of time in topological order, after Graham, Kessler and McKusick (gprof: a call
 * graph execution profiler, 1982). Linear in nodes and arcs.
 *
 * A node's fraction says how much of its time counts in the graph. It flows from callers to
 * callees, as does the flag whether the node is shown; then time flows from callees to callers. The
 * order of the floating-point operations is part of the result: printed digits depend on it.
 */
#include "config.h"

#include "analysis/propagate.h"

/* Together: each step needs most of it, and of 10^6 nodes hardly any is in the caches. */
struct node {
	double fraction;
	double ticks; /* own time; of a cycle, its members' */
	double inherited, children;
	uint64_t outer;
	uint32_t cycle;
};

struct flow {
	const struct graph *graph;
	const struct cycles *cycles;
	const struct selection *sel;
	struct node *node;
	double *self;
	struct arc_time *arc;
	struct bitset shown;
	double total;
};

enum { AHEAD = 4, MOST = 16 };

static uint32_t cycle_node(const struct flow *f, uint32_t cycle)
{
	return f->graph->nnodes + cycle - 1;
}

struct calls count_calls(const struct graph *graph, const struct cycles *cycles, struct arena *mem)
{
	size_t nnodes = (size_t)graph->nnodes + cycles->ncycles;
	uint64_t *outer = arena_array(mem, uint64_t, nnodes);
	uint64_t *self = arena_array(mem, uint64_t, nnodes);

	for (uint32_t i = 0; i < graph->narcs; i++) {
		const struct arc *arc = &graph->arc[i];
		uint32_t cycle = cycles->ncycles ? cycles->of_node[arc->to] : 0;
		uint64_t *whole = cycle && cycles->of_node[arc->from] == cycle ? self : outer;

		if (arc->from == arc->to) {
			self[arc->to] += arc->ncalls;
			continue;
		}
		outer[arc->to] += arc->ncalls;
		if (cycle)
			whole[graph->nnodes + cycle - 1] += arc->ncalls;
	}
	return (struct calls){ outer, self };
}

/* Adds to `node`, which is n or n's cycle, what n's callers outside of `cycle` give it. */
static void inherit_from_callers(struct flow *f, uint32_t node, sym_id n, uint32_t cycle)
{
	const struct graph *g = f->graph;
	struct node *to = &f->node[node];
	double ncalls = (double)to->outer;

	for (uint32_t i = g->in[n]; i < g->in[n + 1]; i++) {
		const struct arc *arc = &g->arc[g->in_arc[i]];

		if (arc->from == n || (cycle && f->node[arc->from].cycle == cycle))
			continue;
		if (bitset_has(f->shown, arc->from))
			bitset_add(f->shown, node);
		if (to->outer != 0)
			to->fraction +=
				f->node[arc->from].fraction * ((double)arc->ncalls / ncalls);
	}
}

static void inherit_cycle(struct flow *f, uint32_t cycle)
{
	const struct cycles *c = f->cycles;
	uint32_t node = cycle_node(f, cycle);

	for (uint32_t i = c->start[cycle - 1]; i < c->start[cycle]; i++)
		inherit_from_callers(f, node, c->member[i], cycle);
	for (uint32_t i = c->start[cycle - 1]; i < c->start[cycle]; i++) {
		f->node[c->member[i]].fraction = f->node[node].fraction;
		if (bitset_has(f->shown, node))
			bitset_add(f->shown, c->member[i]);
	}
}

/* What the selection makes of the inherited flag and fraction. */
static void apply_selection(struct flow *f, sym_id n)
{
	if (!bitset_has(f->shown, n)) {
		if (bitset_has(f->sel->graph_on, n))
			bitset_add(f->shown, n);
	} else if (bitset_has(f->sel->graph_off, n)) {
		bitset_remove(f->shown, n);
	}
	if (f->node[n].fraction == 0.0) {
		if (bitset_has(f->sel->time_on, n))
			f->node[n].fraction = 1.0;
	} else if (bitset_has(f->sel->time_off, n)) {
		f->node[n].fraction = 0.0;
	}
}

/* What the next nodes' callers will be asked for: a ring of 10^6 functions took 0.1 s longer. */
static void look_ahead(const struct flow *f, uint32_t i)
{
	const struct graph *g = f->graph;

	for (uint32_t stage = 1; stage <= 3 && i >= stage * AHEAD; stage++) {
		sym_id n = f->cycles->topo[i - stage * AHEAD];
		uint32_t end = g->in[n + 1];

		if (stage == 3) {
			__builtin_prefetch(&g->in_arc[g->in[n]]);
			__builtin_prefetch(&f->node[n]);
			continue;
		}
		end = end - g->in[n] > MOST ? g->in[n] + MOST : end;
		for (uint32_t k = g->in[n]; k < end; k++) {
			const struct arc *arc = &g->arc[g->in_arc[k]];

			if (stage == 2)
				__builtin_prefetch(arc);
			else
				__builtin_prefetch(&f->node[arc->from]);
		}
	}
}

/* Flags and fractions, callers before callees. */
static void flow_down(struct flow *f)
{
	uint32_t last_cycle = 0;

	for (uint32_t i = f->graph->nnodes; i-- > 0;) {
		sym_id n = f->cycles->topo[i];
		uint32_t cycle = f->node[n].cycle;

		look_ahead(f, i);
		if (!cycle)
			inherit_from_callers(f, n, n, 0);
		else if (cycle != last_cycle)
			inherit_cycle(f, cycle);
		last_cycle = cycle;
		apply_selection(f, n);
		f->self[n] = f->node[n].ticks * f->node[n].fraction;
		f->total += f->self[n];
	}
}

static void sum_cycles(struct flow *f)
{
	for (uint32_t cycle = 1; cycle <= f->cycles->ncycles; cycle++) {
		uint32_t node = cycle_node(f, cycle);

		for (uint32_t i = f->cycles->start[cycle - 1]; i < f->cycles->start[cycle]; i++) {
			sym_id m = f->cycles->member[i];

			if (f->node[m].fraction != 0.0)
				f->node[node].ticks += f->node[m].ticks;
		}
		f->self[node] = f->node[node].fraction * f->node[node].ticks;
	}
}

/* Brings the caller of one arc its share of the callee's time. */
static void flow_along(struct flow *f, struct node *from, uint32_t arc_id)
{
	const struct arc *arc = &f->graph->arc[arc_id];
	const struct node *to = &f->node[arc->to];
	double part, self, children, share;

	if (arc->ncalls == 0 || arc->from == arc->to || to->fraction == 0.0 ||
	    (from->cycle && from->cycle == to->cycle))
		return;
	if (to->cycle)
		to = &f->node[cycle_node(f, to->cycle)];
	if (to->outer == 0)
		return;
	part = (double)arc->ncalls / (double)to->outer;
	self = to->ticks * part;
	children = to->inherited * part;
	share = self + children;
	from->inherited += share;
	from->children += from->fraction * share;
	f->arc[arc_id] = (struct arc_time){ self * from->fraction, children * from->fraction };
	if (from->cycle) {
		struct node *whole = &f->node[cycle_node(f, from->cycle)];

		whole->inherited += share;
		whole->children += from->fraction * share;
	}
}

/* Time, callees before callers. */
static void flow_up(struct flow *f)
{
	for (uint32_t i = 0; i < f->graph->nnodes; i++) {
		sym_id n = f->cycles->topo[i];

		if (f->node[n].fraction == 0.0)
			continue;
		for (uint32_t a = f->graph->out[n]; a < f->graph->out[n + 1]; a++)
			flow_along(f, &f->node[n], a);
	}
}

struct weights propagate(const struct graph *graph, const struct cycles *cycles,
			 const struct calls *calls, const struct ticks *ticks,
			 const struct selection *sel, struct arena *mem)
{
	struct arena scratch = arena_scratch(mem);
	size_t nnodes = (size_t)graph->nnodes + cycles->ncycles;
	double *inherited = arena_array(mem, double, nnodes);
	double *children = arena_array(mem, double, nnodes);
	struct flow f = {
		.graph = graph,
		.cycles = cycles,
		.sel = sel,
		.node = arena_array(&scratch, struct node, nnodes),
		.self = arena_array(mem, double, nnodes),
		.arc = arena_array(mem, struct arc_time, graph->narcs),
		.shown = bitset_empty(mem, nnodes),
	};

	for (uint32_t n = 0; n < nnodes; n++) {
		bool is_sym = n < graph->nnodes;

		f.node[n].outer = calls->outer[n];
		f.node[n].ticks = is_sym ? ticks->self[n] : 0.0;
		f.node[n].cycle = is_sym ? cycles->of_node[n] : 0;
	}
	flow_down(&f);
	sum_cycles(&f);
	flow_up(&f);
	for (uint32_t n = 0; n < nnodes; n++) {
		inherited[n] = f.node[n].inherited;
		children[n] = f.node[n].children;
	}
	arena_free(&scratch);
	return (struct weights){
		.inherited = inherited,
		.self = f.self,
		.children = children,
		.arc = f.arc,
		.shown = f.shown,
		.total = f.total,
	};
}
