/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Three passes over the paths: the times of functions, the times of rests, the positions of nodes.
 */
#include "config.h"

#include "analysis/stacks/layout.h"

#include "base/rounding.h"

/* What the paths of a function were given so far. */
struct layout_given {
	double all, sofar; /* sum of the shares of all its paths, and of those that were given their
			      part */
	uint64_t self, samples;
};

static uint64_t layout_part(uint64_t whole, double share)
{
	uint64_t amount = rounding_nearest(share, (double)whole);

	return share < 1.0 && amount < whole ? amount : whole;
}

/*
 * If the shares of a function's paths add up to less than this, the rest of its time is in rests,
 * not in paths. A smaller difference from 1 is a rounding error.
 */
static const double nearly_all = 1 - 1e-9;

/*
 * Rounds running totals, not parts: after each path, the function's paths together have the rounded
 * part for the sum of their shares, so rounding errors do not add up.
 */
static void layout_give(struct layout_given *given, double share, uint64_t all_self,
			uint64_t all_samples, struct stack_node *node)
{
	uint64_t self, samples;
	double upto;

	given->sofar += share;
	upto = given->all < nearly_all ? given->sofar : given->sofar / given->all;
	self = layout_part(all_self, upto);
	samples = layout_part(all_samples, upto);
	node->self = self - given->self;
	node->samples = samples - given->samples;
	given->self = self;
	given->samples = samples;
}

/* Sets the times of the n paths that are no rests. */
static void layout_functions(const struct layout_path *path, uint32_t n, const uint64_t *self,
			     const uint64_t *samples, struct layout_given *given,
			     struct stack_node *node)
{
	for (uint32_t i = 0; i < n; i++)
		given[path[i].function].all += path[i].share;
	for (uint32_t i = 0; i < n; i++) {
		sym_id s = path[i].function;

		layout_give(&given[s], path[i].share, self[s], samples[s], &node[i]);
	}
}

/*
 * Sets the times of n rests, in proportion to the time expected in them; the last one gets what
 * rounding leaves.
 */
static void layout_rests(const struct layout_path *path, uint32_t n, uint64_t self,
			 uint64_t samples, struct stack_node *node)
{
	double all = 0.0;
	struct layout_given given = { 0 };

	for (uint32_t i = 0; i < n; i++)
		all += path[i].share;
	for (uint32_t i = 0; i < n; i++) {
		double upto;

		given.sofar += path[i].share;
		upto = i + 1 < n && all > 0.0 ? given.sofar / all : 1.0;
		node[i].self = layout_part(self, upto) - given.self;
		node[i].samples = layout_part(samples, upto) - given.samples;
		given.self += node[i].self;
		given.samples += node[i].samples;
	}
}

/*
 * Adds up the totals of the nodes, which are in the order of the paths. Returns for each node the
 * number of nodes in its subtree.
 */
static const uint32_t *layout_add_up(const struct layout_path *path, uint32_t n,
				     struct stack_node *node, struct arena *mem)
{
	uint32_t *size = arena_array(mem, uint32_t, n);

	for (uint32_t i = n; i-- > 0;) {
		uint32_t parent = path[i].parent;

		size[i]++;
		node[i].total += node[i].self;
		node[i].total_samples += node[i].samples;
		if (parent != STACKS_NONE) {
			size[parent] += size[i];
			node[parent].total += node[i].total;
			node[parent].total_samples += node[i].total_samples;
		}
	}
	return size;
}

/* Copies the nodes of *from, which are in the order of the paths, to their positions in *to. */
static void layout_place(const struct layout_path *path, const struct stack_node *from,
			 const uint32_t *size, struct stacks *to, struct arena *mem)
{
	struct arena scratch = arena_scratch(mem);
	struct stack_node *node = arena_array(mem, struct stack_node, to->n);
	uint32_t *place = arena_array(&scratch, uint32_t, to->n);
	uint32_t *free_place = arena_array(
		&scratch, uint32_t, to->n); /* the position for the next child of each path */
	uint32_t free_root = 0;

	for (uint32_t i = 0; i < to->n; i++) {
		uint32_t parent = path[i].parent;
		uint32_t *next = parent == STACKS_NONE ? &free_root : &free_place[parent];

		place[i] = *next;
		*next += size[i];
		free_place[i] = place[i] + 1;
		node[place[i]] = from[i];
		node[place[i]].function = path[i].function;
		node[place[i]].parent = parent == STACKS_NONE ? STACKS_NONE : place[parent];
		node[place[i]].depth = path[i].depth;
		node[place[i]].end = place[i] + size[i];
		if (path[i].depth > to->depth)
			to->depth = path[i].depth;
	}
	to->node = node;
	arena_free(&scratch);
}

struct stacks layout_stacks(const layout_paths *paths, const uint64_t *self,
			    const uint64_t *samples, uint32_t nsyms, struct arena *mem)
{
	struct arena scratch = arena_scratch(mem);
	struct stack_node *node = arena_array(&scratch, struct stack_node, paths->n);
	struct stacks result = { .n = (uint32_t)paths->n, .estimated = true };
	uint64_t left, left_samples;
	uint32_t n = 0;

	for (sym_id s = 0; s < nsyms; s++) {
		result.total += self[s];
		result.samples += samples[s];
	}
	while (n < result.n && paths->at[n].function != STACKS_REST)
		n++;
	layout_functions(paths->at, n, self, samples,
			 arena_array(&scratch, struct layout_given, nsyms), node);
	left = result.total;
	left_samples = result.samples;
	for (uint32_t i = 0; i < n; i++) {
		left -= node[i].self;
		left_samples -= node[i].samples;
	}
	if (n < result.n && paths->at[n].parent == STACKS_NONE && paths->at[n].share == 0.0 &&
	    left == 0 && left_samples == 0)
		result.n = n;
	layout_rests(paths->at + n, result.n - n, left, left_samples, node + n);
	layout_place(paths->at, node, layout_add_up(paths->at, result.n, node, &scratch), &result,
		     mem);
	arena_free(&scratch);
	return result;
}
