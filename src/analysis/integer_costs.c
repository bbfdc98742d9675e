/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Times are rounded from callees to callers, along the calls that cut_recursion() leaves: a
 * function's self time is rounded, the times of its arcs to callees are whole numbers already, and
 * the sum of both is divided among its callers. So all times add up exactly.
 */
#include "config.h"

#include "analysis/integer_costs.h"

#include "analysis/stacks/cut.h"

#include <string.h>

static const double nanoseconds = 1e9; /* in a second */

static bool integer_costs_lists(const struct analysis *a, sym_id s)
{
	const struct costs *c = &a->costs;
	const struct graph *g = &a->graph;

	if (c->self[s] != 0.0 || (c->waits.inclusive && c->waits.inclusive[s] != 0.0) ||
	    (c->credited.children && c->credited.children[s] != 0.0))
		return true;
	if (!bitset_has(a->costs.graph.shown, s))
		return false;
	if (a->costs.calls.outer[s] != 0 || a->costs.calls.self[s] != 0)
		return true;
	/* A sum of calls that is 0 may have overflowed, so the single arcs are looked at. */
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

static void integer_costs_list(struct integer_costs *integer_costs, const struct analysis *a,
			       struct arena *mem)
{
	uint32_t nsyms = a->graph.nnodes;
	sym_id *listed = arena_sparse(mem, nsyms, sizeof(*listed));

	for (sym_id s = 0; s < nsyms; s++) {
		if (integer_costs_lists(a, s))
			listed[integer_costs->nlisted++] = s;
	}
	integer_costs->listed = listed;
}

/*
 * Returns the unit in which the ticks of all functions are a whole number. Where the width of a bin
 * is no whole number, as in files of the C library, the parts of a bin add up to slightly more or
 * less; resolve.c keeps that historic rule because GNU's printed digits depend on it.
 */
static double integer_costs_whole_ticks(const struct integer_costs *integer_costs,
					const struct costs *costs, uint32_t n)
{
	double sum = 0.0;
	uint64_t whole;

	for (uint32_t i = 0; i < n; i++)
		sum += costs->self[i];
	whole = rounding_nearest(costs->total > 0.0 && costs->total < sum ? costs->total : sum,
				 1.0);
	return whole > 0 ? integer_costs->per_tick * ((double)whole / sum)
			 : integer_costs->per_tick;
}

static void integer_costs_round_ticks(struct integer_costs *integer_costs, const struct analysis *a,
				      struct arena *mem)
{
	uint32_t nsyms = a->graph.nnodes;
	struct rounding time = { .scale = integer_costs->per_credit };
	struct rounding samples = { .scale = time.scale / integer_costs->per_tick };
	uint64_t *self = arena_array(mem, uint64_t, nsyms);
	uint64_t *nsamples = arena_array(mem, uint64_t, nsyms);

	for (sym_id s = 0; s < nsyms; s++) {
		self[s] = rounding_next(&time, a->costs.self[s]);
		nsamples[s] = rounding_next(&samples, a->costs.self[s]);
	}
	integer_costs->self = self;
	integer_costs->samples = nsamples;
	integer_costs->total = time.given;
	integer_costs->nsamples = samples.given;
}

static struct bitset integer_costs_listed(const struct integer_costs *integer_costs, uint32_t nsyms,
					  struct arena *mem)
{
	struct bitset listed = bitset_empty(mem, nsyms);

	for (uint32_t i = 0; i < integer_costs->nlisted; i++)
		bitset_add(listed, integer_costs->listed[i]);
	return listed;
}

/* Divides the inclusive time of s among the arcs from its callers. */
static void integer_costs_divide(const struct graph *g, const struct cut *cut, sym_id s,
				 uint64_t inclusive, uint64_t *time)
{
	double all = 0.0, sofar = 0.0;
	uint64_t given = 0;

	for (uint32_t i = g->in[s]; i < g->in[s + 1]; i++) {
		if (!bitset_has(cut->arcs, g->in_arc[i]))
			all += (double)g->arc[g->in_arc[i]].ncalls;
	}
	for (uint32_t i = g->in[s]; i < g->in[s + 1]; i++) {
		uint32_t arc = g->in_arc[i];
		uint64_t upto;

		if (bitset_has(cut->arcs, arc))
			continue;
		sofar += (double)g->arc[arc].ncalls;
		upto = sofar < all ? rounding_nearest(sofar / all, (double)inclusive) : inclusive;
		upto = upto < given ? given : upto > inclusive ? inclusive : upto;
		time[arc] = upto - given;
		given = upto;
	}
}

/* Sets the inclusive times of cycles, which come after the symbols. */
static void integer_costs_add_cycles(const struct integer_costs *integer_costs,
				     const struct analysis *a, uint64_t *inclusive)
{
	const struct graph *g = &a->graph;

	for (sym_id s = 0; s < g->nnodes; s++) {
		uint64_t *whole = &inclusive[analysis_whole(a, s)];

		if (a->cycles.of_node[s] == 0)
			continue;
		*whole += integer_costs->self[s];
		for (uint32_t i = g->out[s]; i < g->out[s + 1]; i++)
			*whole +=
				analysis_is_inside(a, s, g->arc[i].to) ? 0 : integer_costs->arc[i];
	}
}

/*
 * Rounds the arcs, callees before callers, so that all arcs out of a function have their time when
 * its own is divided.
 */
static void integer_costs_round_arcs(struct integer_costs *integer_costs, const struct analysis *a,
				     struct arena *mem)
{
	const struct graph *g = &a->graph;
	struct arena scratch = arena_scratch(mem);
	struct bitset listed = integer_costs_listed(integer_costs, g->nnodes, &scratch);
	struct cut cut = cut_recursion(g, &a->cycles, listed, &scratch);
	uint64_t *time = arena_array(mem, uint64_t, g->narcs);
	uint64_t *inclusive = arena_array(mem, uint64_t, analysis_nnodes(a));

	for (uint32_t n = 0; n < g->nnodes; n++) {
		sym_id s = cut.finished[n];

		inclusive[s] = integer_costs->self[s];
		for (uint32_t i = g->out[s]; i < g->out[s + 1]; i++)
			inclusive[s] += time[i];
		integer_costs_divide(g, &cut, s, inclusive[s], time);
	}
	integer_costs->arc = integer_costs->up = time;
	integer_costs->root = arena_sparse(mem, g->nnodes, sizeof(*integer_costs->root));
	integer_costs->inclusive = inclusive;
	integer_costs_add_cycles(integer_costs, a, inclusive);
	arena_free(&scratch);
}

/*
 * Rounds measured times. An arc gets the time that its caller spends in it, so that times add up
 * for callers.
 */
static void integer_costs_round_measured(struct integer_costs *integer_costs,
					 const struct analysis *a, struct arena *mem)
{
	const struct graph *g = &a->graph;
	const struct graph_costs *costs = &a->costs.credited;
	double per_tick = integer_costs->per_tick;
	uint64_t *down = arena_array(mem, uint64_t, g->narcs);
	uint64_t *up = arena_array(mem, uint64_t, g->narcs);
	uint64_t *inclusive = arena_array(mem, uint64_t, g->nnodes);
	uint64_t *root = arena_array(mem, uint64_t, g->nnodes);

	for (sym_id s = 0; s < g->nnodes; s++) {
		inclusive[s] = rounding_nearest(costs->self[s] + costs->children[s], per_tick);
		root[s] = rounding_nearest(costs_arc_sum(&costs->root[s]), per_tick);
	}
	for (uint32_t i = 0; i < g->narcs; i++) {
		down[i] = rounding_nearest(costs_arc_sum(&costs->down[i]), per_tick);
		up[i] = rounding_nearest(costs_arc_sum(&costs->up[i]), per_tick);
	}
	integer_costs->arc = down;
	integer_costs->up = up;
	integer_costs->inclusive = inclusive;
	integer_costs->root = root;
}

/* Whether samples stand for time. */
static bool integer_costs_is_timed(const struct analysis *a)
{
	const struct unit *unit = &a->profile->unit;

	return a->profile->has_hists && unit->rate > 0 && strcmp(unit->dimension, "seconds") == 0;
}

double integer_costs_per_tick(const struct analysis *a)
{
	return integer_costs_is_timed(a) ? nanoseconds / a->profile->unit.rate : 1.0;
}

/* Returns n times in ticks as nanoseconds, each rounded for itself. */
static const uint64_t *integer_costs_round(const double *ticks, double per_tick, uint32_t n,
					   struct arena *mem)
{
	uint64_t *rounded = arena_array(mem, uint64_t, n);

	for (uint32_t i = 0; i < n; i++)
		rounded[i] = rounding_nearest(ticks[i], per_tick);
	return rounded;
}

static void integer_costs_take_waits(struct integer_costs *integer_costs, const struct analysis *a,
				     struct arena *mem)
{
	const struct costs_waits *waits = &a->costs.waits;
	const double *error = a->costs.wait_errors.inclusive;
	double per_tick = nanoseconds / waits->rate;

	integer_costs->waiting =
		integer_costs_round(waits->inclusive, per_tick, a->graph.nnodes, mem);
	if (error)
		integer_costs->waiting_error =
			integer_costs_round(error, per_tick, a->graph.nnodes, mem);
	integer_costs->total_waiting = rounding_nearest(waits->total, per_tick);
}

/* Returns what ticks count, as one word that any format can have in its headers. */
static const char *integer_costs_counted(const struct unit *unit)
{
	static const char word[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_";
	const char *name = unit->dimension;

	return unit->rate == 1 && name[0] && name[strspn(name, word)] == '\0' ? name : "samples";
}

struct integer_costs integer_costs_make(const struct analysis *a, struct arena *mem)
{
	struct integer_costs integer_costs = {
		.timed = integer_costs_is_timed(a) || !a->profile->has_hists,
		.exact = analysis_is_exact(a),
		.has_calls = analysis_has_calls(a),
		.counted = integer_costs_counted(&a->profile->unit),
		.per_tick = integer_costs_per_tick(a),
	};

	integer_costs.per_credit =
		integer_costs_whole_ticks(&integer_costs, &a->costs, a->graph.nnodes);
	integer_costs_list(&integer_costs, a, mem);
	integer_costs_round_ticks(&integer_costs, a, mem);
	if (a->costs.origin.measured)
		integer_costs_round_measured(&integer_costs, a, mem);
	else
		integer_costs_round_arcs(&integer_costs, a, mem);
	if (a->costs.waits.inclusive)
		integer_costs_take_waits(&integer_costs, a, mem);
	return integer_costs;
}
