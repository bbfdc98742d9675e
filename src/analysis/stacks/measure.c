/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One walk through the tree, depth first.
 *
 *   a              Self times are 2 ticks in the second b, 7 in the fourth, 1 in c.
 *   +-- b
 *       +-- b 2               self  inclusive                up  down
 *           +-- b          a    0      10          nobody>a  10     0
 *           |   +-- b 7    b    9      10          a>b       10    10
 *           +-- c 1        c    1       1          b>b        0     0   inner calls bring nothing
 *                                                  b>c        1     1
 *
 * For each symbol the walk adds up the self time of the nodes that it has entered (`passed`): what
 * a symbol has below a node is the difference of this sum between entering and leaving the node. It
 * also keeps the nearest node above with the same symbol (`nearest`). A node without one is the
 * outermost, and its total is inclusive time. Other nodes repeat time of the outer node, so their
 * total is subtracted from the arc by which the outer node leads to them.
 */
#include "config.h"

#include "analysis/stacks/measure.h"

#include "base/array.h"
#include "base/index.h"
#include "base/radix.h"

typedef ARRAY(struct measured_pair) measure_pairs;

/* A node on the current path of the walk. */
struct measure_level {
	uint32_t node, pair;
	uint32_t outer;  /* the level of the nearest node above with the same symbol; STACKS_NONE:
			    there is none */
	uint64_t passed; /* when the node was entered: measure.passed of its own symbol, */
	uint64_t passed_below; /* and of the symbol one level below `outer` */
};

struct measure {
	const struct stacks *stacks;
	uint64_t *self, *inclusive, *passed;
	uint32_t *nearest; /* for each symbol, the level of its nearest node on the path, plus 1; 0:
			      none */
	measure_pairs pairs;
	struct index index;
	struct measure_level *level;
	uint32_t nlevels;
	struct arena *mem, *scratch;
};

INDEX_KEY(measure_key, struct measured_pair, x->from, x->to)

static uint32_t measure_find_pair(struct measure *m, sym_id from, sym_id to)
{
	const struct measured_pair wanted = { .from = from, .to = to };

	index_reserve(&m->index, m->pairs.n + 1, measure_key, m->pairs.at, m->pairs.n, m->scratch);
	return index_intern(&m->index, &m->pairs, &wanted, measure_key, m->mem);
}

static sym_id measure_symbol(const struct measure *m, uint32_t level)
{
	return m->stacks->node[m->level[level].node].function;
}

static void measure_enter(struct measure *m, uint32_t i)
{
	const struct stack_node *node = &m->stacks->node[i];
	uint32_t depth = m->nlevels++;
	struct measure_level *level = &m->level[depth];
	sym_id s = node->function, from = depth == 0 ? SYM_NONE : measure_symbol(m, depth - 1);

	level->node = i;
	level->pair = measure_find_pair(m, from, s);
	level->outer = m->nearest[s] > 0 ? m->nearest[s] - 1 : STACKS_NONE;
	level->passed = m->passed[s];
	if (level->outer != STACKS_NONE)
		level->passed_below = m->passed[measure_symbol(m, level->outer + 1)];
	m->nearest[s] = depth + 1;
	m->self[s] += node->self;
	m->passed[s] += node->self;
}

static void measure_leave(struct measure *m)
{
	uint32_t depth = --m->nlevels;
	const struct measure_level *level = &m->level[depth];
	const struct stack_node *node = &m->stacks->node[level->node];
	struct measured_pair *pair = &m->pairs.at[level->pair];
	sym_id s = node->function;
	uint64_t self = m->passed[s] - level->passed;

	if (depth > 0) {
		pair->down.self += self;
		pair->down.all += node->total;
	}
	if (level->outer == STACKS_NONE) {
		pair->up.self += self;
		pair->up.all += node->total;
		m->inclusive[s] += node->total;
		m->nearest[s] = 0;
		return;
	}
	/*
	 * The recursion below the outer node repeats time that the outer node's arc has already, so
	 * it is subtracted from the arc by which the outer node leads here.
	 */
	pair = &m->pairs.at[m->level[level->outer + 1].pair];
	pair->down.self -= m->passed[measure_symbol(m, level->outer + 1)] - level->passed_below;
	pair->down.all -= node->total;
	m->nearest[s] = level->outer + 1;
}

/* Sorts by caller, then by callee; in place, as there may be as many pairs as nodes. */
static void measure_sort(measure_pairs *pairs, const struct arena *mem)
{
	struct arena scratch = arena_scratch(mem);
	struct keyed *order = arena_array(&scratch, struct keyed, pairs->n);

	for (size_t i = 0; i < pairs->n; i++) {
		const struct measured_pair *pair = &pairs->at[i];

		order[i] = (struct keyed){ (uint64_t)pair->from << 32 | pair->to, (uint32_t)i };
	}
	radix_sort_keyed(order, pairs->n, &scratch);
	for (uint32_t i = 0; i < pairs->n; i++) {
		struct measured_pair first = pairs->at[i];
		uint32_t hole = i;

		/* Moves pairs along a cycle of the permutation. */
		while (order[hole].id != i) {
			uint32_t from = order[hole].id;

			pairs->at[hole] = pairs->at[from];
			order[hole].id = hole;
			hole = from;
		}
		pairs->at[hole] = first;
		order[hole].id = hole;
	}
	arena_free(&scratch);
}

struct measured measure_stacks(const struct stacks *stacks, uint32_t nsyms, struct arena *mem)
{
	struct arena scratch = arena_scratch(mem);
	struct measure m = {
		.stacks = stacks,
		.self = arena_array(mem, uint64_t, nsyms),
		.inclusive = arena_array(mem, uint64_t, nsyms),
		.passed = arena_array(&scratch, uint64_t, nsyms),
		.nearest = arena_array(&scratch, uint32_t, nsyms),
		.level = arena_array(&scratch, struct measure_level, (size_t)stacks->depth + 1),
		.mem = mem,
		.scratch = &scratch,
	};
	struct measured measured = { m.self, m.inclusive, NULL, 0, stacks->total };

	for (uint32_t i = 0; i < stacks->n; i++) {
		while (m.nlevels > 0 && stacks->node[m.level[m.nlevels - 1].node].end <= i)
			measure_leave(&m);
		measure_enter(&m, i);
	}
	while (m.nlevels > 0)
		measure_leave(&m);
	index_free(&m.index, &scratch);
	measure_sort(&m.pairs, &scratch);
	measured.pair = m.pairs.at;
	measured.npairs = (uint32_t)m.pairs.n;
	arena_free(&scratch);
	return measured;
}

const double *measure_ticks(const uint64_t *ticks, uint32_t n, struct arena *mem)
{
	double *copy = arena_unset_array(mem, double, n);

	for (uint32_t i = 0; i < n; i++)
		copy[i] = (double)ticks[i];
	return copy;
}

/* Returns each symbol's inclusive ticks less its self ticks, in the same form. Linear. */
static const double *measure_children(const struct measured *measured, uint32_t nsyms,
				      struct arena *mem)
{
	double *children = arena_unset_array(mem, double, nsyms);

	for (sym_id s = 0; s < nsyms; s++)
		children[s] = (double)(measured->inclusive[s] - measured->self[s]);
	return children;
}

/* Returns which of n pairs of one caller is the pair with a callee, or NULL. */
static const struct measured_pair *measure_find_callee(const struct measured_pair *pair, uint32_t n,
						       sym_id to)
{
	uint32_t lo = 0, hi = n;

	while (lo < hi) {
		uint32_t middle = lo + (hi - lo) / 2;

		if (pair[middle].to < to)
			lo = middle + 1;
		else
			hi = middle;
	}
	return lo < n && pair[lo].to == to ? &pair[lo] : NULL;
}

static struct arc_cost measure_cost(const struct measured_ticks *ticks)
{
	return (struct arc_cost){ (double)ticks->self, (double)(ticks->all - ticks->self) };
}

struct graph_costs measure_costs(const struct measured *measured, const struct graph *graph,
				 struct arena *mem)
{
	struct arc_cost *up = arena_array(mem, struct arc_cost, graph->narcs);
	struct arc_cost *down = arena_array(mem, struct arc_cost, graph->narcs);
	struct arc_cost *root = arena_array(mem, struct arc_cost, graph->nnodes);
	uint32_t first = 0, end = 0; /* pairs of one caller */

	for (sym_id from = 0; from < graph->nnodes; from++, first = end) {
		while (end < measured->npairs && measured->pair[end].from == from)
			end++;
		for (uint32_t i = graph->out[from]; i < graph->out[from + 1]; i++) {
			const struct measured_pair *pair = measure_find_callee(
				&measured->pair[first], end - first, graph->arc[i].to);

			if (pair) {
				up[i] = measure_cost(&pair->up);
				down[i] = measure_cost(&pair->down);
			}
		}
	}
	for (uint32_t i = measured->npairs; i-- > 0 && measured->pair[i].from == SYM_NONE;)
		root[measured->pair[i].to] = measure_cost(&measured->pair[i].up);
	return (struct graph_costs){
		.self = measure_ticks(measured->self, graph->nnodes, mem),
		.children = measure_children(measured, graph->nnodes, mem),
		.up = up,
		.down = down,
		.root = root,
		.total = (double)measured->total,
	};
}
