/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A path is found by its parent's path and its row, so that both sides come to the same nodes:
 *
 *      base          self        new           self          joined            base   new
 *      main            10        main              12        main                10    12
 *        parse          6          parse            9          parse              6     9
 *        write          4            log            2            log              0     2
 *                                  flush            3          flush              0     3
 *                                                              write              4     0
 *
 * Then nodes are put into depth-first order, those of one parent by the time of the new side, then
 * of the base, the most first. Each side gets this tree with its own times.
 */
#include "config.h"

#include "analysis/diff/join.h"

#include "analysis/diff/chance.h"
#include "base/array.h"
#include "base/index.h"
#include "base/radix.h"

struct join_node {
	uint32_t parent;   /* index of a node, or STACKS_NONE */
	uint32_t function; /* index of a row of the difference, or STACKS_REST */
	uint32_t depth;
	struct join_part {
		uint64_t self, total, samples, total_samples;
	} part[SIDES];
};

struct join_builder {
	ARRAY(struct join_node) nodes;
	struct index index;
	struct arena *mem; /* scratch */
};

INDEX_KEY(join_key, struct join_node, x->parent, x->function)

static void join_add(struct join_builder *j, const struct stacks *stacks, enum difference_side k,
		     const struct difference_match *match, const struct difference *d)
{
	uint32_t *place = arena_array(j->mem, uint32_t, stacks->n);

	for (uint32_t i = 0; i < stacks->n; i++) {
		const struct stack_node *node = &stacks->node[i];
		struct join_node wanted = {
			.parent = node->parent == STACKS_NONE ? STACKS_NONE : place[node->parent],
			.function = node->function == STACKS_REST
					    ? STACKS_REST
					    : d->of_match[match->row[k][node->function]],
			.depth = node->depth,
		};
		struct join_part *part;

		place[i] = index_intern(&j->index, &j->nodes, &wanted, join_key, j->mem);
		part = &j->nodes.at[place[i]].part[k];
		part->self += node->self;
		part->total += node->total;
		part->samples += node->samples;
		part->total_samples += node->total_samples;
	}
}

/*
 * Returns the indices of the nodes in depth-first order; children of one parent are ordered by
 * their totals. `place` gets the position of each node in that order.
 */
static uint32_t *join_order(const struct join_builder *j, uint32_t *place)
{
	uint32_t n = (uint32_t)j->nodes.n, top = 0, done = 0;
	uint32_t *first = arena_array(j->mem, uint32_t, (size_t)n + 1);
	uint32_t *next = arena_array(j->mem, uint32_t, n), *order, *stack;
	struct keyed *items = arena_array(j->mem, struct keyed, n);

	order = arena_array(j->mem, uint32_t, n);
	stack = arena_array(j->mem, uint32_t, n);
	for (uint32_t i = 0; i < n; i++)
		items[i] = (struct keyed){ j->nodes.at[i].part[SIDE_BASE].total, i };
	radix_sort_keyed(items, n, j->mem);
	for (uint32_t i = 0; i < n; i++)
		items[i].key = j->nodes.at[items[i].id].part[SIDE_NEW].total;
	radix_sort_keyed(items, n, j->mem);
	/*
	 * Links children into lists, those with the least time first, as each goes in front of the
	 * earlier. Numbers are indices plus 1; list n has the roots.
	 */
	for (uint32_t i = 0; i < n; i++) {
		uint32_t id = items[i].id, parent = j->nodes.at[id].parent;
		uint32_t *of_parent = &first[parent == STACKS_NONE ? n : parent];

		next[id] = *of_parent;
		*of_parent = id + 1;
	}
	for (uint32_t at = first[n]; at > 0 || top > 0;) {
		if (at == 0) {
			at = next[stack[--top]];
			continue;
		}
		place[at - 1] = done;
		order[done++] = at - 1;
		stack[top++] = at - 1;
		at = first[at - 1];
	}
	return order;
}

static struct stacks join_side(const struct join_builder *j, const uint32_t *order,
			       const uint32_t *place, enum difference_side k, struct arena *mem)
{
	uint32_t n = (uint32_t)j->nodes.n;
	struct stack_node *node = arena_array(mem, struct stack_node, n);
	struct stacks stacks = { .of = STACKS_OF_ROWS, .node = node, .n = n };

	for (uint32_t i = 0; i < n; i++) {
		const struct join_node *from = &j->nodes.at[order[i]];
		const struct join_part *part = &from->part[k];

		node[i] = (struct stack_node){
			.function = from->function,
			.parent = from->parent == STACKS_NONE ? STACKS_NONE : place[from->parent],
			.depth = from->depth,
			.end = i + 1,
			.self = part->self,
			.total = part->total,
			.samples = part->samples,
			.total_samples = part->total_samples,
		};
		stacks.total += part->self;
		stacks.samples += part->samples;
		stacks.depth = from->depth > stacks.depth ? from->depth : stacks.depth;
	}
	for (uint32_t i = n; i-- > 0;) {
		struct stack_node *parent =
			node[i].parent == STACKS_NONE ? NULL : &node[node[i].parent];

		if (parent && parent->end < node[i].end)
			parent->end = node[i].end;
	}
	return stacks;
}

/*
 * Samples of side k in node i: of the node itself if `own`, else together with all nodes below it.
 */
static uint64_t join_samples(const struct joint *joint, int k, uint32_t i, bool own)
{
	const struct stack_node *node = &joint->side[k].node[i];

	return own ? node->samples : node->total_samples;
}

static const enum difference_verdict *join_judge(const struct joint *joint, bool own,
						 const struct difference *d, uint64_t least,
						 struct arena *mem)
{
	uint32_t n = joint->side[SIDE_BASE].n;
	struct arena scratch = arena_scratch(mem);
	enum difference_verdict *verdict = arena_array(mem, enum difference_verdict, n);
	double *p = arena_array(&scratch, double, n), *tested = arena_array(&scratch, double, n);
	double threshold;
	size_t ntested = 0;

	for (uint32_t i = 0; i < n; i++) {
		uint64_t n0 = join_samples(joint, SIDE_BASE, i, own);
		uint64_t n1 = join_samples(joint, SIDE_NEW, i, own);

		p[i] = 2.0;
		verdict[i] = VERDICT_NOISE;
		if (d->counts_only || (n0 < least && n1 < least && !difference_is_exact(d)))
			continue;
		p[i] = chance_p(d, CHANCE_UNKNOWN, n0, n1, CHANCE_STRICT);
		tested[ntested++] = p[i];
	}
	threshold = chance_threshold(tested, ntested, d->level);
	for (uint32_t i = 0; i < n; i++) {
		double delta = chance_delta(d, join_samples(joint, SIDE_BASE, i, own),
					    join_samples(joint, SIDE_NEW, i, own));

		if (p[i] <= threshold && delta != 0.0)
			verdict[i] = delta > 0.0 ? VERDICT_MORE : VERDICT_LESS;
	}
	arena_free(&scratch);
	return verdict;
}

struct joint join_stacks(const struct stacks *const stacks[SIDES],
			 const struct difference_match *match, const struct difference *d,
			 uint64_t least, struct arena *mem)
{
	struct arena scratch = arena_scratch(mem);
	struct join_builder j = { .mem = &scratch };
	struct joint joint;
	uint32_t *order, *place;

	for (int k = SIDES; k-- > 0;)
		join_add(&j, stacks[k], (enum difference_side)k, match, d);
	place = arena_array(&scratch, uint32_t, j.nodes.n);
	order = join_order(&j, place);
	for (int k = 0; k < SIDES; k++) {
		joint.side[k] = join_side(&j, order, place, (enum difference_side)k, mem);
		joint.side[k].estimated =
			stacks[SIDE_BASE]->estimated || stacks[SIDE_NEW]->estimated;
	}
	joint.verdict = join_judge(&joint, false, d, least, mem);
	joint.own = join_judge(&joint, true, d, least, mem);
	arena_free(&scratch);
	return joint;
}
