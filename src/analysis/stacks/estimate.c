/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Call paths from counts of calls.
 *
 *   main --1--> f --1--> h     Arcs have numbers of calls. Self times are f 1, g 1, h 8 ticks.
 *     \----1--> g --3--/
 *
 *   main                  0 of 10 ticks
 *   +-- g                 1 of 7       most time below it: followed first
 *   |   +-- h   3/4 * 8 = 6
 *   +-- f                 1 of 3
 *       +-- h   1/4 * 8 = 2
 *
 * Without the calls that are cut, the graph has no cycles, and the paths through it form a tree in
 * which a function appears once for each path to it. Its share there is the product of the shares
 * of the calls on the path; all its shares add up to 1. The time expected below a call is the same
 * on every path except for that factor, so each function's calls are sorted once, and a heap holds
 * only the next call of each path.
 */
#include "config.h"

#include "analysis/stacks/estimate.h"

#include "analysis/stacks/cut.h"
#include "analysis/stacks/layout.h"
#include "base/heap.h"
#include "base/radix.h"

/* The flow of calls and time along the calls that are left. */
struct estimate_flow {
	const double *ncalls; /* calls of each function */
	const double *below;  /* time in each function and in what it calls */
};

/* A call that may be followed. */
struct estimate_step {
	sym_id to;
	double share;     /* its share of all calls of the called function */
	double weight;    /* time expected in it and below it, for a caller with a share of 1 */
	double remaining; /* sum of `weight` of this and all later steps of the row */
};

/* The steps of each function, those with the most time first. */
struct estimate_steps {
	const struct estimate_step *at;
	const uint32_t *row; /* steps of s: at[row[s]] up to, but not including, at[row[s + 1]]; the
				last row has the functions that paths begin with */
};

/*
 * The first step below a path that was not followed yet; or the first such step among functions
 * that paths begin with.
 */
struct estimate_next {
	double weight; /* time expected in that step on this path */
	uint32_t path; /* STACKS_NONE: the step begins a path */
	uint32_t step;
};

struct estimate_search {
	const struct estimate_steps *steps;
	uint32_t nnodes, max_depth;
	layout_paths paths;
	ARRAY(struct estimate_next) waiting; /* a heap: steps that may be followed next */
	ARRAY(struct estimate_next)
	ended; /* steps below paths that have reached the limit of depth */
	struct arena *mem;
};

static double estimate_share(const struct estimate_flow *flow, const struct arc *arc)
{
	return (double)arc->ncalls / flow->ncalls[arc->to];
}

static struct estimate_flow estimate_flow(const struct graph *g, const struct cut *cut,
					  const uint64_t *self, struct arena *mem)
{
	double *ncalls = arena_array(mem, double, g->nnodes);
	double *below = arena_array(mem, double, g->nnodes);
	const struct estimate_flow flow = { ncalls, below };

	for (uint32_t i = 0; i < g->narcs; i++) {
		if (!bitset_has(cut->arcs, i))
			ncalls[g->arc[i].to] += (double)g->arc[i].ncalls;
	}
	for (uint32_t i = 0; i < g->nnodes; i++) {
		sym_id s = cut->finished[i];

		below[s] = (double)self[s];
		for (uint32_t a = g->out[s]; a < g->out[s + 1]; a++) {
			if (!bitset_has(cut->arcs, a))
				below[s] += below[g->arc[a].to] * estimate_share(&flow, &g->arc[a]);
		}
	}
	return flow;
}

/*
 * The time of a step. `id` is the number of an arc or, above the numbers of arcs, stands for a
 * function that paths begin with.
 */
static double estimate_weight(const struct graph *g, const struct cut *cut,
			      const struct estimate_flow *flow, uint32_t id)
{
	if (id >= g->narcs)
		return flow->ncalls[id - g->narcs] > 0.0 ? 0.0 : flow->below[id - g->narcs];
	if (bitset_has(cut->arcs, id))
		return 0.0;
	return flow->below[g->arc[id].to] * estimate_share(flow, &g->arc[id]);
}

/* Returns the steps with time, those with the most first; ids as for estimate_weight(). */
static const struct keyed *estimate_sort(const struct graph *g, const struct cut *cut,
					 const struct estimate_flow *flow, uint32_t *n,
					 struct arena *mem)
{
	uint32_t most = g->narcs + g->nnodes;
	struct keyed *items = arena_array(mem, struct keyed, most);

	*n = 0;
	for (uint32_t i = 0; i < most; i++) {
		double weight = estimate_weight(g, cut, flow, i);

		if (weight > 0.0)
			items[(*n)++] = (struct keyed){ radix_key_descending(weight), i };
	}
	radix_sort_keyed(items, *n, mem);
	return items;
}

static struct estimate_steps estimate_steps(const struct graph *g, const struct cut *cut,
					    const struct estimate_flow *flow, struct arena *mem)
{
	struct arena scratch = arena_scratch(mem);
	uint32_t *row = arena_array(mem, uint32_t, (size_t)g->nnodes + 3), n;
	const struct keyed *items = estimate_sort(g, cut, flow, &n, &scratch);
	struct estimate_step *step = arena_array(mem, struct estimate_step, n);

	/* row[s + 2] has the count of row s. Added up, row[s + 1] is the start of row s; filling
	 * row s moves it to the end, which is the start of row s + 1. */
	for (uint32_t i = 0; i < n; i++)
		row[(items[i].id < g->narcs ? g->arc[items[i].id].from : g->nnodes) + 2]++;
	for (uint32_t s = 0; s < g->nnodes + 1; s++)
		row[s + 2] += row[s + 1];
	for (uint32_t i = 0; i < n; i++) {
		uint32_t id = items[i].id;
		bool is_arc = id < g->narcs;
		sym_id to = is_arc ? g->arc[id].to : id - g->narcs;
		double share = is_arc ? estimate_share(flow, &g->arc[id]) : 1.0;

		step[row[(is_arc ? g->arc[id].from : g->nnodes) + 1]++] =
			(struct estimate_step){ to, share, share * flow->below[to], 0.0 };
	}
	for (uint32_t s = 0; s <= g->nnodes; s++) {
		double remaining = 0.0;

		for (uint32_t i = row[s + 1]; i-- > row[s];) {
			remaining += step[i].weight;
			step[i].remaining = remaining;
		}
	}
	arena_free(&scratch);
	return (struct estimate_steps){ step, row };
}

/*
 * Whether step a is followed before b: it has more time or, for equal times, its path was found
 * first. A path has at most one next step.
 */
static bool estimate_comes_before(const void *a, const void *b, const void *arg)
{
	const struct estimate_next *x = a, *y = b;

	(void)arg;
	return x->weight != y->weight ? x->weight > y->weight : x->path < y->path;
}

/* Adds step number `step` of a path to the heap, if the path has that many. */
static void estimate_wait(struct estimate_search *s, uint32_t path, uint32_t step)
{
	const struct layout_path *above = path == STACKS_NONE ? NULL : &s->paths.at[path];
	uint32_t row = above ? above->function : s->nnodes;
	struct estimate_next next = { 0.0, path, step };

	if (step == s->steps->row[row + 1])
		return;
	next.weight = (above ? above->share : 1.0) * s->steps->at[step].weight;
	if (above && above->depth + 1 >= s->max_depth) {
		array_push(s->mem, &s->ended) = next;
		return;
	}
	array_push(s->mem, &s->waiting) = next;
	heap_push(s->waiting.at, s->waiting.n, sizeof(next), estimate_comes_before, NULL);
}

/* Adds the path that `next` leads to; `share` is relative to the share of the path above. */
static void estimate_add(struct estimate_search *s, const struct estimate_next *next,
			 sym_id function, double share)
{
	struct layout_path path = { function, next->path, 0, share };

	if (next->path != STACKS_NONE) {
		path.depth = s->paths.at[next->path].depth + 1;
		path.share *= s->paths.at[next->path].share;
	}
	array_push(s->mem, &s->paths) = path;
}

/* Follows the steps with the most time until there are max_paths paths. */
static void estimate_follow(struct estimate_search *s, uint64_t max_paths)
{
	const struct estimate_steps *steps = s->steps;

	estimate_wait(s, STACKS_NONE, steps->row[s->nnodes]);
	while (s->waiting.n > 0 && s->paths.n < max_paths) {
		uint32_t path = (uint32_t)s->paths.n;
		struct estimate_next next;
		const struct estimate_step *step;

		heap_pop(s->waiting.at, s->waiting.n, sizeof(next), estimate_comes_before, NULL);
		next = s->waiting.at[--s->waiting.n];
		step = &steps->at[next.step];
		estimate_add(s, &next, step->to, step->share);
		estimate_wait(s, path, steps->row[step->to]);
		estimate_wait(s, next.path, next.step + 1);
	}
}

/*
 * Adds a rest for the steps that were not followed; layout.h requires rests after all other paths.
 */
static void estimate_add_rests(struct estimate_search *s)
{
	for (size_t i = 0; i < s->ended.n; i++)
		estimate_add(s, &s->ended.at[i], STACKS_REST,
			     s->steps->at[s->ended.at[i].step].remaining);
	for (size_t i = 0; i < s->waiting.n; i++)
		estimate_add(s, &s->waiting.at[i], STACKS_REST,
			     s->steps->at[s->waiting.at[i].step].remaining);
	if (s->ended.n + s->waiting.n == 0)
		array_push(s->mem, &s->paths) =
			(struct layout_path){ STACKS_REST, STACKS_NONE, 0, 0.0 };
}

struct stacks estimate_stacks(const struct graph *graph, const struct cycles *cycles,
			      const struct stacks_input *input, const struct stacks_limits *limits,
			      struct arena *mem)
{
	struct arena scratch = arena_scratch(mem);
	struct cut cut = cut_recursion(graph, cycles, input->shown, &scratch);
	struct estimate_flow flow = estimate_flow(graph, &cut, input->self, &scratch);
	struct estimate_steps steps = estimate_steps(graph, &cut, &flow, &scratch);
	struct estimate_search search = {
		.steps = &steps,
		.nnodes = graph->nnodes,
		.max_depth = limits->depth,
		.mem = &scratch,
	};
	struct stacks result;

	estimate_follow(&search, limits->paths);
	estimate_add_rests(&search);
	result = layout_stacks(&search.paths, input->self, input->samples, graph->nnodes, mem);
	arena_free(&scratch);
	return result;
}
