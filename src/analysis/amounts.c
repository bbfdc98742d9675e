/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Whole numbers are made from the callees up: a function's self time is rounded, what its arcs to
 * callees bring it is whole already, and the sum of these is what its callers are given. So nothing
 * is lost or made up on the way. A cycle is treated as one function.
 */
#include "config.h"

#include "analysis/amounts.h"

#include <string.h>

static const double nanoseconds = 1e9; /* in a second */

static bool amounts_lists(const struct analysis *a, sym_id s)
{
	const struct graph *g = &a->graph;

	if (a->ticks.self[s] != 0.0)
		return true;
	if (!bitset_has(a->weights.shown, s))
		return false;
	if (a->calls.outer[s] != 0 || a->calls.self[s] != 0)
		return true;
	/* Sums that are 0 may have gone around. */
	for (uint32_t i = g->in[s]; i < g->in[s + 1]; i++) {
		if (g->arc[g->in_arc[i]].ncalls != 0)
			return true;
	}
	for (uint32_t i = g->out[s]; i < g->out[s + 1]; i++) {
		if (g->arc[i].ncalls != 0)
			return true;
	}
	return false;
}

static void amounts_list(struct amounts *amounts, const struct analysis *a, struct arena *mem)
{
	uint32_t nsyms = a->graph.nnodes;
	sym_id *listed = arena_sparse(mem, nsyms, sizeof(*listed));

	for (sym_id s = 0; s < nsyms; s++) {
		if (amounts_lists(a, s))
			listed[amounts->nlisted++] = s;
	}
	amounts->listed = listed;
}

static void amounts_round_ticks(struct amounts *amounts, const struct analysis *a,
				struct arena *mem)
{
	struct rounding time = { .scale = amounts->per_tick }, samples = { .scale = 1 };
	uint32_t nsyms = a->graph.nnodes;
	uint64_t *self = arena_array(mem, uint64_t, nsyms);
	uint64_t *nsamples = arena_array(mem, uint64_t, nsyms);

	for (sym_id s = 0; s < nsyms; s++) {
		self[s] = rounding_next(&time, a->ticks.self[s]);
		nsamples[s] = rounding_next(&samples, a->ticks.self[s]);
	}
	amounts->self = self;
	amounts->samples = nsamples;
	amounts->total = time.given;
	amounts->nsamples = samples.given;
}

/* A function, or the members of a cycle, and what it has with all below it. */
struct amounts_whole {
	const sym_id *member;
	uint32_t n;
	uint64_t time; /* in whole units */
	double ticks;
};

/* The arcs to callees have their `time`; those within a cycle have none. */
static void amounts_add_up(const struct amounts *amounts, const struct analysis *a,
			   struct amounts_whole *whole, const uint64_t *time)
{
	const struct graph *g = &a->graph;

	whole->ticks = a->weights.inherited[analysis_whole(a, whole->member[0])];
	for (uint32_t m = 0; m < whole->n; m++) {
		sym_id s = whole->member[m];

		whole->time += amounts->self[s];
		whole->ticks += a->ticks.self[s];
		for (uint32_t i = g->out[s]; i < g->out[s + 1]; i++)
			whole->time += time[i];
	}
}

/* Gives the arcs from callers the shares that they have in the call graph. */
static void amounts_divide(const struct amounts *amounts, const struct analysis *a,
			   const struct amounts_whole *whole, uint64_t *time)
{
	static const double close_to_1 = 1e-9;
	const struct graph *g = &a->graph;
	struct rounding part = { .scale = amounts->per_tick };
	double ticks = 0.0;

	for (uint32_t m = 0; m < whole->n; m++) {
		for (uint32_t i = g->in [whole->member[m]]; i < g->in[whole->member[m] + 1]; i++) {
			const struct arc_time *arc = &a->weights.arc[g->in_arc[i]];

			ticks += arc->self + arc->children;
		}
	}
	/* Unless a selection leaves some of it out. */
	if (ticks > whole->ticks * (1 - close_to_1) && ticks < whole->ticks * (1 + close_to_1))
		part.scale = (double)whole->time / ticks;
	for (uint32_t m = 0; m < whole->n; m++) {
		for (uint32_t i = g->in [whole->member[m]]; i < g->in[whole->member[m] + 1]; i++) {
			const struct arc_time *arc = &a->weights.arc[g->in_arc[i]];

			time[g->in_arc[i]] = rounding_next(&part, arc->self + arc->children);
		}
	}
}

static void amounts_round_arcs(struct amounts *amounts, const struct analysis *a, struct arena *mem)
{
	const struct cycles *cycles = &a->cycles;
	uint32_t nnodes = a->graph.nnodes;
	uint64_t *time = arena_array(mem, uint64_t, a->graph.narcs);

	for (uint32_t i = 0; i < nnodes;) {
		struct amounts_whole whole = { .member = &cycles->topo[i], .n = 1 };
		uint32_t cycle = cycles->of_node[cycles->topo[i]];

		while (cycle && i + whole.n < nnodes &&
		       cycles->of_node[cycles->topo[i + whole.n]] == cycle)
			whole.n++;
		amounts_add_up(amounts, a, &whole, time);
		amounts_divide(amounts, a, &whole, time);
		i += whole.n;
	}
	amounts->arc = time;
}

struct amounts amounts_make(const struct analysis *a, struct arena *mem)
{
	const struct unit *unit = &a->profile->unit;
	bool timed =
		a->profile->has_hists && unit->rate > 0 && strcmp(unit->dimension, "seconds") == 0;
	struct amounts amounts = {
		.timed = timed || !a->profile->has_hists,
		.per_tick = timed ? nanoseconds / unit->rate : 1.0,
	};

	amounts_list(&amounts, a, mem);
	amounts_round_ticks(&amounts, a, mem);
	amounts_round_arcs(&amounts, a, mem);
	return amounts;
}
