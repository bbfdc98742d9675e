/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Whole numbers are made from the callees up, through the calls that cut.h leaves, as the paths of
 * stacks/ go: a function's self time is rounded, what its arcs to callees bring it is whole
 * already, and the sum of these is what its callers are given. So nothing is lost or made up on the
 * way.
 */
#include "config.h"

#include "analysis/amounts.h"

#include "analysis/stacks/cut.h"

#include <string.h>

static const double nanoseconds = 1e9; /* in a second */

static bool amounts_has_waits(const struct analysis *a)
{
	return a->stacks && a->stacks->clock.waiting;
}

static bool amounts_lists(const struct analysis *a, const struct measured *times, sym_id s)
{
	const struct graph *g = &a->graph;

	if (a->ticks.self[s] != 0.0 || (times && times->inclusive[s] != 0) ||
	    (amounts_has_waits(a) && a->stacks->waits.times.inclusive[s] != 0))
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

static void amounts_list(struct amounts *amounts, const struct analysis *a,
			 const struct measured *times, struct arena *mem)
{
	uint32_t nsyms = a->graph.nnodes;
	sym_id *listed = arena_sparse(mem, nsyms, sizeof(*listed));

	for (sym_id s = 0; s < nsyms; s++) {
		if (amounts_lists(a, times, s))
			listed[amounts->nlisted++] = s;
	}
	amounts->listed = listed;
}

/*
 * The unit in which the ticks of all functions are a whole number of ticks. Shares of bins add up
 * to a bit more or less where the width of a bin, as files of the C library have it, is no whole
 * number; gprof's historic rule for digits, which resolve.c keeps, does not care.
 */
static double amounts_whole_ticks(const struct amounts *amounts, const struct ticks *ticks,
				  uint32_t n)
{
	double sum = 0.0;
	uint64_t whole;

	for (uint32_t i = 0; i < n; i++)
		sum += ticks->self[i];
	whole = rounded(ticks->total > 0.0 && ticks->total < sum ? ticks->total : sum, 1.0);
	return whole > 0 ? amounts->per_tick * ((double)whole / sum) : amounts->per_tick;
}

static void amounts_round_ticks(struct amounts *amounts, const struct analysis *a,
				struct arena *mem)
{
	uint32_t nsyms = a->graph.nnodes;
	struct rounding time = { .scale = amounts->per_credit };
	struct rounding samples = { .scale = time.scale / amounts->per_tick };
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

static struct bitset amounts_listed(const struct amounts *amounts, uint32_t nsyms,
				    struct arena *mem)
{
	struct bitset listed = bitset_empty(mem, nsyms);

	for (uint32_t i = 0; i < amounts->nlisted; i++)
		bitset_add(listed, amounts->listed[i]);
	return listed;
}

/* Gives the arcs from callers their parts of what s has with all that it calls. */
static void amounts_divide(const struct graph *g, const struct cut *cut, sym_id s,
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
		upto = sofar < all ? rounded(sofar / all, (double)inclusive) : inclusive;
		upto = upto < given ? given : upto > inclusive ? inclusive : upto;
		time[arc] = upto - given;
		given = upto;
	}
}

/* What cycles have with all that their members call outside: behind the symbols. */
static void amounts_add_cycles(const struct amounts *amounts, const struct analysis *a,
			       uint64_t *inclusive)
{
	const struct graph *g = &a->graph;

	for (sym_id s = 0; s < g->nnodes; s++) {
		uint64_t *whole = &inclusive[analysis_whole(a, s)];

		if (a->cycles.of_node[s] == 0)
			continue;
		*whole += amounts->self[s];
		for (uint32_t i = g->out[s]; i < g->out[s + 1]; i++)
			*whole += analysis_is_inside(a, s, g->arc[i].to) ? 0 : amounts->arc[i];
	}
}

/* Callees before callers, so that all arcs out of a function have their time when it is divided. */
static void amounts_round_arcs(struct amounts *amounts, const struct analysis *a, struct arena *mem)
{
	const struct graph *g = &a->graph;
	struct arena scratch = arena_scratch(mem);
	struct bitset listed = amounts_listed(amounts, g->nnodes, &scratch);
	struct cut cut = cut_recursion(g, &a->cycles, listed, &scratch);
	uint64_t *time = arena_array(mem, uint64_t, g->narcs);
	uint64_t *inclusive = arena_array(mem, uint64_t, analysis_nnodes(a));

	for (uint32_t n = 0; n < g->nnodes; n++) {
		sym_id s = cut.finished[n];

		inclusive[s] = amounts->self[s];
		for (uint32_t i = g->out[s]; i < g->out[s + 1]; i++)
			inclusive[s] += time[i];
		amounts_divide(g, &cut, s, inclusive[s], time);
	}
	amounts->arc = time;
	amounts->inclusive = inclusive;
	amounts_add_cycles(amounts, a, inclusive);
	arena_free(&scratch);
}

/* An arc's time is that which the caller spends in it: so it adds up for callers. */
static void amounts_take_stacks(struct amounts *amounts, const struct analysis *a,
				const struct measured *times, struct arena *mem)
{
	const struct graph *g = &a->graph;
	double per_tick = amounts->per_tick;
	uint64_t *down = arena_array(mem, uint64_t, g->narcs);
	uint64_t *up = arena_array(mem, uint64_t, g->narcs);
	uint64_t *inclusive = arena_array(mem, uint64_t, g->nnodes);
	uint64_t *root = arena_array(mem, uint64_t, g->nnodes);

	for (sym_id s = 0; s < g->nnodes; s++)
		inclusive[s] = rounded((double)times->inclusive[s], per_tick);
	for (uint32_t i = 0; i < g->narcs; i++) {
		const struct measured_pair *pair =
			measured_find(times, g->arc[i].from, g->arc[i].to);

		if (!pair)
			continue;
		down[i] = rounded((double)pair->down.all, per_tick);
		up[i] = rounded((double)pair->up.all, per_tick);
	}
	for (uint32_t i = times->npairs; i-- > 0 && times->pair[i].from == SYM_NONE;)
		root[times->pair[i].to] = rounded((double)times->pair[i].up.all, per_tick);
	amounts->arc = down;
	amounts->up = up;
	amounts->inclusive = inclusive;
	amounts->root = root;
}

/* Whether samples are times. */
static bool amounts_is_timed(const struct analysis *a)
{
	const struct unit *unit = &a->profile->unit;

	return a->profile->has_hists && unit->rate > 0 && strcmp(unit->dimension, "seconds") == 0;
}

double amounts_per_tick(const struct analysis *a)
{
	return amounts_is_timed(a) ? nanoseconds / a->profile->unit.rate : 1.0;
}

static void amounts_take_waits(struct amounts *amounts, const struct analysis *a, struct arena *mem)
{
	const struct call_waits *waits = &a->stacks->waits;
	double per_tick = nanoseconds / waits->rate;
	uint64_t *waiting = arena_array(mem, uint64_t, a->graph.nnodes);

	for (sym_id s = 0; s < a->graph.nnodes; s++)
		waiting[s] = rounded((double)waits->times.inclusive[s], per_tick);
	amounts->waiting = waiting;
	amounts->total_waiting = rounded((double)waits->times.total, per_tick);
}

/* What a tick is, where one is one of these: a word, as any format can have it in its heads. */
static const char *amounts_counted(const struct unit *unit)
{
	static const char word[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_";
	const char *name = unit->dimension;

	return unit->rate == 1 && name[0] && name[strspn(name, word)] == '\0' ? name : "samples";
}

struct amounts amounts_make(const struct analysis *a, const struct measured *times,
			    struct arena *mem)
{
	struct amounts amounts = {
		.timed = amounts_is_timed(a) || !a->profile->has_hists,
		.exact = analysis_is_exact(a),
		.has_calls = analysis_has_calls(a),
		.counted = amounts_counted(&a->profile->unit),
		.per_tick = amounts_per_tick(a),
	};

	amounts.per_credit = amounts_whole_ticks(&amounts, &a->ticks, a->graph.nnodes);
	amounts_list(&amounts, a, times, mem);
	amounts_round_ticks(&amounts, a, mem);
	if (times) {
		amounts_take_stacks(&amounts, a, times, mem);
	} else {
		amounts_round_arcs(&amounts, a, mem);
		amounts.up = amounts.arc;
	}
	if (amounts_has_waits(a))
		amounts_take_waits(&amounts, a, mem);
	return amounts;
}
