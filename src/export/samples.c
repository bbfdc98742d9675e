/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A walk over the paths, with a cursor for each function's addresses and for each arc's calls. */
#include "config.h"

#include "export/samples.h"

#include "base/radix.h"
#include "base/rounding.h"
#include "base/search.h"

#include <stddef.h>

/* The current position in a function's addresses, or an arc's calls. */
struct samples_cursor {
	uint32_t at;
	uint64_t left; /* time of the current one not yet used */
};

struct samples_walk {
	const struct export_view *e;
	const uint32_t *arc;    /* for each node, the graph's arc to it, or UINT32_MAX */
	const uint32_t *listed; /* for each symbol, its index in the list */
	uint64_t *through;      /* for each arc, the time of all paths through it */
	double *ncalls; /* by arc: number of calls up to and including the current call site */
	struct samples_cursor *address, *call; /* by symbol; by arc */
	struct sample_frame *frame;
	uint32_t *arcs; /* arcs of the current path, the innermost first; UINT32_MAX: none */
};

struct sample_numbers samples_numbers(const struct export_view *e)
{
	const struct line_costs *costs = e->line_costs;
	struct sample_numbers numbers = { 0, 0, 0, 0 };

	numbers.calls = !costs ? 0 : e->trees->naddresses > 0 ? e->trees->naddresses : costs->n;
	numbers.symbols = numbers.calls + (costs ? costs->arc_start[e->a->graph.narcs] : 0);
	numbers.rest = numbers.symbols + e->integer_costs->nlisted;
	numbers.n = numbers.rest + 1;
	return numbers;
}

static struct sample_frame samples_address(const struct export_view *e, uint32_t address,
					   sym_id symbol)
{
	const struct address_cost *at = &e->line_costs->at[address];

	return (struct sample_frame){ symbol, export_pc(e, symbol, at->pc),
				      export_module(e, symbol), at->frame, address };
}

struct sample_frame samples_call(const struct export_view *e, uint32_t call, sym_id symbol)
{
	const struct call_site_cost *at = &e->line_costs->call[call];

	return (struct sample_frame){ symbol, export_pc(e, symbol, at->pc),
				      export_module(e, symbol), at->frame,
				      samples_numbers(e).calls + call };
}

struct sample_frame samples_symbol(const struct export_view *e, uint32_t listed)
{
	sym_id s = e->integer_costs->listed[listed];

	return (struct sample_frame){ s, export_address(e, s), export_module(e, s), FRAME_LAST,
				      samples_numbers(e).symbols + listed };
}

uint32_t samples_depth(const struct export_view *e)
{
	uint32_t depth = e->stacks->depth;

	for (uint32_t i = 0; i < e->trees->nthreads; i++) {
		uint32_t of = e->trees->thread[i].addresses.depth;

		depth = of > depth ? of : depth;
	}
	return depth + 1;
}

static uint32_t samples_find_arc(const struct keyed *arcs, size_t n, sym_id from, sym_id to)
{
	uint64_t key = (uint64_t)from << 32 | to;
	size_t i = search_from(arcs, n, sizeof(*arcs), offsetof(struct keyed, key), key);

	return i < n && arcs[i].key == key ? arcs[i].id : UINT32_MAX;
}

/* Finds each node's arc and sums the time of paths through arcs. */
static void samples_find_arcs(struct samples_walk *w)
{
	const struct graph *g = &w->e->a->graph;
	const struct stacks *stacks = w->e->stacks;
	struct keyed *order = arena_array(w->e->mem, struct keyed, g->narcs);
	uint32_t *arc = arena_array(w->e->mem, uint32_t, stacks->n);

	for (uint32_t i = 0; i < g->narcs; i++)
		order[i] = (struct keyed){ (uint64_t)g->arc[i].from << 32 | g->arc[i].to, i };
	radix_sort_keyed(order, g->narcs, w->e->mem);
	for (uint32_t i = 0; i < stacks->n; i++) {
		const struct stack_node *node = &stacks->node[i];

		arc[i] = UINT32_MAX;
		if (node->parent == STACKS_NONE || node->function == STACKS_REST)
			continue;
		arc[i] = samples_find_arc(order, g->narcs, stacks->node[node->parent].function,
					  node->function);
		if (arc[i] != UINT32_MAX)
			w->through[arc[i]] += node->total;
	}
	w->arc = arc;
}

/* If the current call of an arc has no time left, moves to its next call that has time. */
static void samples_next_call(struct samples_walk *w, uint32_t arc)
{
	const struct line_costs *costs = w->e->line_costs;
	uint32_t end = costs->arc_start[arc + 1];
	struct samples_cursor *cursor = &w->call[arc];
	double all = (double)w->e->a->graph.arc[arc].ncalls;

	while (cursor->left == 0 && cursor->at + 1 < end) {
		uint64_t before = rounding_nearest(w->ncalls[arc] / all, (double)w->through[arc]);
		uint64_t upto;

		cursor->at++;
		w->ncalls[arc] += (double)costs->call[cursor->at].ncalls;
		upto = rounding_nearest(w->ncalls[arc] / all, (double)w->through[arc]);
		cursor->left = upto > before ? upto - before : 0;
	}
	if (cursor->left == 0)
		cursor->left = UINT64_MAX;
}

static void samples_next_address(struct samples_walk *w, sym_id s)
{
	const struct line_costs *costs = w->e->line_costs;
	struct samples_cursor *cursor = &w->address[s];

	while (cursor->left == 0 && cursor->at + 1 < costs->start[s + 1])
		cursor->left = costs->at[++cursor->at].self;
	if (cursor->left == 0)
		cursor->left = UINT64_MAX;
}

static void samples_start_cursors(struct samples_walk *w)
{
	const struct export_view *e = w->e;
	const struct graph *g = &e->a->graph;
	const struct line_costs *costs = e->line_costs;

	for (uint32_t i = 0; i < g->narcs; i++) {
		uint32_t first = costs->arc_start[i];

		if (first == costs->arc_start[i + 1])
			continue;
		w->ncalls[i] = (double)costs->call[first].ncalls;
		w->call[i] = (struct samples_cursor){
			first, rounding_nearest(w->ncalls[i] / (double)g->arc[i].ncalls,
						(double)w->through[i])
		};
		samples_next_call(w, i);
	}
	for (uint32_t i = 0; i < e->integer_costs->nlisted; i++) {
		sym_id s = e->integer_costs->listed[i];

		if (costs->start[s] == costs->start[s + 1])
			continue;
		w->address[s] =
			(struct samples_cursor){ costs->start[s], costs->at[costs->start[s]].self };
		samples_next_address(w, s);
	}
}

static bool samples_has_addresses(const struct samples_walk *w, sym_id s)
{
	const struct line_costs *costs = w->e->line_costs;

	return costs && s != STACKS_REST && costs->start[s] < costs->start[s + 1];
}

static bool samples_has_calls(const struct samples_walk *w, uint32_t arc)
{
	const struct line_costs *costs = w->e->line_costs;

	return costs && arc != UINT32_MAX && costs->arc_start[arc] < costs->arc_start[arc + 1];
}

/* Fills in the frames of the path to a node. Returns the time for which this path is valid. */
static uint64_t samples_fill(struct samples_walk *w, uint32_t node, uint32_t *n)
{
	const struct export_view *e = w->e;
	const struct stack_node *nodes = e->stacks->node;
	sym_id leaf = nodes[node].function;
	uint64_t most = UINT64_MAX;
	uint32_t below = UINT32_MAX; /* arc to the callee */

	*n = 0;
	for (uint32_t at = node; at != STACKS_NONE; at = nodes[at].parent) {
		sym_id s = nodes[at].function;
		const struct samples_cursor *cursor = NULL;

		if (at == node && samples_has_addresses(w, leaf)) {
			cursor = &w->address[s];
			w->frame[*n] = samples_address(e, cursor->at, s);
		} else if (samples_has_calls(w, below)) {
			cursor = &w->call[below];
			w->frame[*n] = samples_call(e, cursor->at, s);
		} else if (s == STACKS_REST) {
			w->frame[*n] = (struct sample_frame){ s, 0, RECORDED_NONE, FRAME_LAST,
							      samples_numbers(e).rest };
		} else {
			w->frame[*n] = samples_symbol(e, w->listed[s]);
		}
		if (cursor && cursor->left < most)
			most = cursor->left;
		below = w->arc[at];
		w->arcs[(*n)++] = below;
	}
	return most;
}

/* Advances the cursors of a path of n functions by a time. */
static void samples_move(struct samples_walk *w, sym_id leaf, uint32_t n, uint64_t time)
{
	if (samples_has_addresses(w, leaf)) {
		w->address[leaf].left -= time;
		samples_next_address(w, leaf);
	}
	for (uint32_t i = 0; i < n; i++) {
		if (!samples_has_calls(w, w->arcs[i]))
			continue;
		w->call[w->arcs[i]].left -= time;
		samples_next_call(w, w->arcs[i]);
	}
}

static void samples_walk_node(struct samples_walk *w, uint32_t i, samples_take *take, void *arg)
{
	const struct stack_node *node = &w->e->stacks->node[i];
	uint64_t left = node->self, ticks = 0;

	do {
		uint32_t n;
		uint64_t most = samples_fill(w, i, &n), time = left < most ? left : most, upto;

		left -= time;
		upto = left == 0
			       ? node->samples
			       : rounding_nearest((double)(node->self - left) / (double)node->self,
						  (double)node->samples);
		take(&(struct sample_path){ w->frame, n, time, upto - ticks, 0, RECORDED_NONE,
					    UINT64_MAX },
		     arg);
		ticks = upto;
		samples_move(w, node->function, n, time);
	} while (left > 0);
}

/* Passes on the paths of a thread as they were recorded: of a tree of its addresses. */
static void samples_walk_tree(const struct export_view *e, const struct stacks *tree,
			      uint32_t thread, uint64_t start, samples_take *take, void *arg)
{
	const struct stack_node *node = tree->node;
	struct sample_frame *frame =
		arena_array(e->mem, struct sample_frame, (size_t)tree->depth + 1);

	for (uint32_t i = 0; i < tree->n; i++) {
		uint32_t n = 0;

		if (node[i].self == 0 && node[i].samples == 0)
			continue;
		for (uint32_t at = i; at != STACKS_NONE; at = node[at].parent) {
			uint32_t address = node[at].function;
			sym_id s = e->trees->address[address].symbol;

			frame[n++] = (struct sample_frame){ s, e->trees->address[address].pc,
							    export_module(e, s),
							    e->line_costs->address_frame[address],
							    address };
		}
		take(&(struct sample_path){ frame, n, node[i].self, node[i].samples,
					    node[i].waiting, thread, start },
		     arg);
	}
}

static void samples_walk_estimated(const struct export_view *e, samples_take *take, void *arg)
{
	uint32_t nsyms = e->a->graph.nnodes, narcs = e->a->graph.narcs;
	uint32_t *listed = arena_array(e->mem, uint32_t, nsyms);
	struct samples_walk w = {
		.e = e,
		.listed = listed,
		.through = arena_array(e->mem, uint64_t, narcs),
		.ncalls = arena_array(e->mem, double, narcs),
		.address = arena_array(e->mem, struct samples_cursor, nsyms),
		.call = arena_array(e->mem, struct samples_cursor, narcs),
		.frame = arena_array(e->mem, struct sample_frame, (size_t)e->stacks->depth + 1),
		.arcs = arena_array(e->mem, uint32_t, (size_t)e->stacks->depth + 1),
	};

	for (uint32_t i = 0; i < e->integer_costs->nlisted; i++)
		listed[e->integer_costs->listed[i]] = i;
	samples_find_arcs(&w);
	if (e->line_costs)
		samples_start_cursors(&w);
	for (uint32_t i = 0; i < e->stacks->n; i++) {
		if (e->stacks->node[i].samples != 0 || e->stacks->node[i].self != 0)
			samples_walk_node(&w, i, take, arg);
	}
}

void samples_walk(const struct export_view *e, samples_take *take, void *arg)
{
	if (e->stacks->estimated)
		samples_walk_estimated(e, take, arg);
	for (uint32_t i = 0; i < e->trees->nthreads; i++)
		samples_walk_tree(e, &e->trees->thread[i].addresses, e->trees->thread[i].thread,
				  UINT64_MAX, take, arg);
}

void samples_walk_slices(const struct export_view *e, samples_take *take, void *arg)
{
	if (e->stacks->estimated)
		samples_walk_estimated(e, take, arg);
	for (uint32_t i = 0; i < e->trees->nthreads; i++) {
		const struct thread_trees *thread = &e->trees->thread[i];

		if (thread->nslices == 0)
			samples_walk_tree(e, &thread->addresses, thread->thread, UINT64_MAX, take,
					  arg);
		for (uint32_t k = 0; k < thread->nslices; k++)
			samples_walk_tree(e, &thread->slice[k].addresses, thread->thread,
					  thread->slice[k].start, take, arg);
	}
}
