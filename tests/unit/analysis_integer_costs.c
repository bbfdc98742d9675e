/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whole numbers for times: by hand, and sums that hold for any graph. */
#include "testing.h"

#include "analysis/graph/cycles.h"
#include "analysis/graph/graph.h"
#include "analysis/graph/propagate.h"
#include "analysis/integer_costs.h"
#include "analysis/stacks/measure.h"
#include "slow_gprof.h"

enum { MOST = 24 };

/* An analysis that shows everything. Points into itself: not to be copied. */
struct fixture {
	struct profile profile;
	struct analysis a;
	double ticks[MOST];
	struct integer_costs integer_costs;
};

static void init(struct fixture *f, uint32_t nsyms, const struct arc *arcs, size_t n,
		 struct arena *mem)
{
	*f = (struct fixture){ 0 };
	f->profile.has_hists = true;
	f->profile.unit = (struct unit){ .rate = 100, .dimension = "seconds", .abbrev = 's' };
	f->a.profile = &f->profile;
	f->a.costs.self = f->ticks;
	f->a.graph = graph_build(nsyms, arcs, n, mem);
	f->a.cycles = cycles_find(&f->a.graph, mem);
	f->a.selection = (struct selection){
		.graph_on = bitset_empty(mem, nsyms),
		.graph_off = bitset_empty(mem, nsyms),
		.time_on = bitset_empty(mem, nsyms),
		.time_off = bitset_empty(mem, nsyms),
	};
	for (sym_id s = 0; s < nsyms; s++) {
		bitset_add(f->a.selection.graph_on, s);
		bitset_add(f->a.selection.time_on, s);
	}
}

static void run(struct fixture *f, struct arena *mem)
{
	struct analysis *a = &f->a;

	a->costs.calls = propagate_count_calls(&a->graph, &a->cycles, mem);
	propagate(&a->costs, &a->graph, &a->cycles, &a->selection, mem);
	f->integer_costs = integer_costs_make(a, mem);
}

/* The listed symbols as letters. */
static void expect_listed(const struct fixture *f, const char *expected)
{
	char got[MOST + 1] = "";

	for (uint32_t i = 0; i < f->integer_costs.nlisted; i++)
		got[i] = (char)('a' + (int)f->integer_costs.listed[i]);
	assert_string_equal(got, expected);
}

/* The time of the arc between two symbols. */
static uint64_t arc_time(const struct fixture *f, sym_id from, sym_id to)
{
	const struct graph *g = &f->a.graph;

	for (uint32_t i = g->out[from]; i < g->out[from + 1]; i++) {
		if (g->arc[i].to == to)
			return f->integer_costs.arc[i];
	}
	fail_msg("no arc from %u to %u", from, to);
	return 0;
}

/* Recursion: what the caller's entry has is the arc's. */
static void stacks_are_measured(void **state)
{
	static const struct arc arcs[] = { { 0, 1, 1 }, { 1, 2, 5 } };
	static const struct measured_pair pairs[] = { { 0, 1, { 2, 4 }, { 1, 7 } },
						      { 1, 2, { 2, 2 }, { 2, 2 } },
						      { SYM_NONE, 1, { 0, 3 }, { 0, 0 } } };
	static const uint64_t self[] = { 0, 5, 0, 0 }, inclusive[] = { 8, 7, 2, 0 };
	const struct measured measured = { self, inclusive, pairs, COUNT(pairs), 5 };
	struct arena mem = test_arena();
	struct fixture f;

	(void)state;
	init(&f, 4, arcs, COUNT(arcs), &mem);
	f.ticks[1] = 5;
	f.a.costs.origin.measured = true;
	f.a.costs.credited = measure_costs(&measured, &f.a.graph, &mem);
	f.a.costs.calls = propagate_count_calls(&f.a.graph, &f.a.cycles, &mem);
	f.a.costs.graph.shown = bitset_empty(&mem, 4);
	f.integer_costs = integer_costs_make(&f.a, &mem);
	expect_listed(&f, "abc");
	assert_int_equal(f.integer_costs.inclusive[0], 80000000);
	assert_int_equal(f.integer_costs.inclusive[2], 20000000);
	assert_int_equal(f.integer_costs.self[1], 50000000);
	assert_int_equal(arc_time(&f, 0, 1), 70000000);
	assert_int_equal(arc_time(&f, 1, 2), 20000000);
	assert_int_equal(f.integer_costs.up[f.a.graph.out[0]], 40000000);
	assert_int_equal(f.integer_costs.root[1], 30000000);
	arena_free(&mem);
}

/* The least time has an odd nanosecond, which one of three equal callers gets. */
static void times_are_nanoseconds(void **state)
{
	static const struct arc arcs[] = { { 0, 3, 1 }, { 1, 3, 1 }, { 2, 3, 1 } };
	struct arena mem = test_arena();
	struct fixture f;

	(void)state;
	init(&f, 5, arcs, COUNT(arcs), &mem);
	f.ticks[0] = 2;
	f.ticks[3] = 1;
	run(&f, &mem);
	assert_true(f.integer_costs.timed);
	assert_true(f.integer_costs.per_tick == 1e7);
	expect_listed(&f, "abcd");
	assert_int_equal(f.integer_costs.self[0], 20000000);
	assert_int_equal(f.integer_costs.self[3], 10000000);
	assert_int_equal(f.integer_costs.samples[0], 2);
	assert_int_equal(f.integer_costs.total, 30000000);
	assert_int_equal(f.integer_costs.nsamples, 3);
	assert_int_equal(arc_time(&f, 0, 3), 3333333);
	assert_int_equal(arc_time(&f, 1, 3), 3333334);
	assert_int_equal(arc_time(&f, 2, 3), 3333333);
	arena_free(&mem);
}

/* Fractions of ticks, as bins that two functions share give, are rounded as a sum. */
static void without_a_rate_times_are_ticks(void **state)
{
	static const struct arc arcs[] = { { 0, 1, 2 }, { 0, 2, 1 } };
	struct arena mem = test_arena();
	struct fixture f;

	(void)state;
	init(&f, 3, arcs, COUNT(arcs), &mem);
	f.profile.unit.rate = 0;
	for (sym_id s = 0; s < 3; s++)
		f.ticks[s] = 1.5;
	run(&f, &mem);
	assert_false(f.integer_costs.timed);
	assert_true(f.integer_costs.per_tick == 1.0);
	assert_int_equal(f.integer_costs.total, 5);
	assert_int_equal(f.integer_costs.self[0], 2);
	assert_int_equal(f.integer_costs.self[1], 1);
	assert_int_equal(f.integer_costs.self[2], 2);
	assert_memory_equal(f.integer_costs.self, f.integer_costs.samples, 3 * sizeof(uint64_t));
	assert_int_equal(arc_time(&f, 0, 1), 1);
	assert_int_equal(arc_time(&f, 0, 2), 2);

	f.profile.unit = (struct unit){ .rate = 100, .dimension = "misses", .abbrev = 'm' };
	run(&f, &mem);
	assert_false(f.integer_costs.timed);
	assert_int_equal(f.integer_costs.total, 5);
	arena_free(&mem);
}

/* Without samples nothing is known to be no time: zeros of nanoseconds. */
static void without_samples_all_is_0(void **state)
{
	static const struct arc arcs[] = { { 0, 1, 2 } };
	struct arena mem = test_arena();
	struct fixture f;

	(void)state;
	init(&f, 3, arcs, COUNT(arcs), &mem);
	f.profile.has_hists = false;
	run(&f, &mem);
	assert_true(f.integer_costs.timed);
	expect_listed(&f, "ab");
	assert_int_equal(f.integer_costs.total, 0);
	assert_int_equal(arc_time(&f, 0, 1), 0);
	arena_free(&mem);
}

/*
 * a calls the cycle of b and c, which calls d. c's calls of b and of itself lead back and are cut;
 * the time of c and d is divided among 10 calls by b and 1 by a.
 */
static void arcs_that_lead_back_bring_nothing(void **state)
{
	static const struct arc arcs[] = { { 0, 1, 3 }, { 1, 2, 10 }, { 2, 1, 9 },
					   { 2, 2, 5 }, { 2, 3, 1 },  { 0, 2, 1 } };
	struct arena mem = test_arena();
	struct fixture f;

	(void)state;
	init(&f, 4, arcs, COUNT(arcs), &mem);
	f.ticks[1] = 2;
	f.ticks[2] = 3;
	f.ticks[3] = 4;
	run(&f, &mem);
	assert_int_equal(arc_time(&f, 1, 2), 63636364);
	assert_int_equal(arc_time(&f, 2, 1), 0);
	assert_int_equal(arc_time(&f, 2, 2), 0);
	assert_int_equal(arc_time(&f, 2, 3), 40000000);
	assert_int_equal(arc_time(&f, 0, 1), 83636364);
	assert_int_equal(arc_time(&f, 0, 2), 6363636);
	assert_int_equal(f.integer_costs.inclusive[0], 90000000);
	assert_int_equal(f.integer_costs.inclusive[1], 83636364);
	assert_int_equal(f.integer_costs.inclusive[2], 70000000);
	assert_int_equal(f.integer_costs.inclusive[4], 90000000); /* the cycle */
	arena_free(&mem);
}

/* Calls that were never made and functions that were not sampled are of no interest, unless calls
 * have gone around to a sum of 0. */
static void what_is_listed(void **state)
{
	static const struct arc arcs[] = {
		{ 0, 1, 0 }, { 2, 3, UINT64_MAX }, { 4, 3, 1 }, { 5, 5, 1 }
	};
	struct arena mem = test_arena();
	struct fixture f;

	(void)state;
	init(&f, 8, arcs, COUNT(arcs), &mem);
	f.ticks[6] = 0.25;
	run(&f, &mem);
	assert_int_equal(f.a.costs.calls.outer[3], 0);
	expect_listed(&f, "cdefg");
	arena_free(&mem);
}

/* Which times the call graph has is of no interest: paths have them all. */
static void a_selection_of_times_changes_nothing(void **state)
{
	static const struct arc arcs[] = { { 0, 1, 1 }, { 2, 1, 1 } };
	struct arena mem = test_arena();
	struct fixture f;

	(void)state;
	init(&f, 3, arcs, COUNT(arcs), &mem);
	f.ticks[1] = 8;
	bitset_remove(f.a.selection.time_on, 2);
	bitset_add(f.a.selection.time_off, 2);
	run(&f, &mem);
	assert_int_equal(f.integer_costs.total, 80000000);
	assert_int_equal(arc_time(&f, 0, 1), 40000000);
	assert_int_equal(arc_time(&f, 2, 1), 40000000);
	arena_free(&mem);
}

static void errors_are_roots_of_samples(void **state)
{
	const struct integer_costs ticks = { .per_tick = 1.0 };
	const struct integer_costs fine = { .per_tick = 1e7, .per_credit = 1e7 };

	(void)state;
	assert_int_equal(integer_costs_error(&ticks, 0), 0);
	assert_int_equal(integer_costs_error(&ticks, 1), 1);
	assert_int_equal(integer_costs_error(&ticks, 100), 10);
	assert_int_equal(integer_costs_error(&ticks, 1e12), 1000000);
	assert_int_equal(integer_costs_error(&fine, 2), 14142136);
	assert_int_equal(integer_costs_error(&fine, 0.25), 5000000);
	assert_int_equal(integer_costs_rounded(&fine, 0.00000015), 2);
	assert_int_equal(integer_costs_rounded(&fine, 1e300), INT64_MAX);
}

/* Whole numbers of a node: what arcs bring in is what it has and gets, if anybody calls it. */
static void expect_balance(const struct fixture *f, uint32_t node)
{
	const struct analysis *a = &f->a;
	uint64_t has = 0, gives = 0;
	bool called = false, loose = false;

	for (sym_id s = 0; s < a->graph.nnodes; s++) {
		if (analysis_whole(a, s) == node)
			has += f->integer_costs.self[s];
	}
	for (uint32_t i = 0; i < a->graph.narcs; i++) {
		const struct arc *arc = &a->graph.arc[i];
		bool inside = analysis_is_inside(a, arc->from, arc->to);

		/* Arcs that were never called may hold a cycle together; its members' times part.
		 */
		loose |= inside && arc->ncalls == 0 && analysis_whole(a, arc->to) == node;
		if (inside)
			continue;
		if (analysis_whole(a, arc->from) == node)
			has += f->integer_costs.arc[i];
		else if (analysis_whole(a, arc->to) == node)
			gives += f->integer_costs.arc[i];
		called |= !inside && analysis_whole(a, arc->to) == node && arc->ncalls > 0;
	}
	assert_true(gives == (called ? has : 0) || (loose && gives < has));
	assert_int_equal(f->integer_costs.inclusive[node], has);
}

/* The same of a function, whatever it is a member of: a root has nobody to give it to. */
static void expect_function_balance(const struct fixture *f, sym_id s)
{
	uint64_t has = f->integer_costs.self[s], gives = 0;

	for (uint32_t i = 0; i < f->a.graph.narcs; i++) {
		has += f->a.graph.arc[i].from == s ? f->integer_costs.arc[i] : 0;
		gives += f->a.graph.arc[i].to == s ? f->integer_costs.arc[i] : 0;
	}
	assert_int_equal(f->integer_costs.inclusive[s], has);
	assert_true(gives == has || gives == 0);
}

static void sums_are_exact(void **state)
{
	uint64_t seed = 7;

	(void)state;
	for (unsigned round = 0; round < 2000; round++) {
		struct arena mem = test_arena();
		struct arc arcs[2 * MOST];
		uint32_t nsyms = 2 + random_below(&seed, MOST - 1),
			 n = random_below(&seed, 2 * MOST);
		uint64_t total = 0;
		double ticks = 0;
		struct fixture f;

		for (uint32_t i = 0; i < n; i++)
			arcs[i] =
				(struct arc){ random_below(&seed, nsyms),
					      random_below(&seed, nsyms), random_below(&seed, 5) };
		init(&f, nsyms, arcs, n, &mem);
		f.profile.unit.rate = round % 2 ? 100 : 0;
		for (sym_id s = 0; s < nsyms; s++) {
			f.ticks[s] = random_below(&seed, 3) * random_below(&seed, 1000) / 7.0;
			ticks += f.ticks[s];
		}
		run(&f, &mem);
		for (sym_id s = 0; s < nsyms; s++)
			total += f.integer_costs.self[s];
		assert_int_equal(total, f.integer_costs.total);
		assert_int_equal(f.integer_costs.nsamples, rounding_nearest(ticks, 1));
		if (f.integer_costs.nsamples > 0)
			ticks = (double)f.integer_costs.nsamples;
		assert_int_equal(total, rounding_nearest(ticks, f.integer_costs.per_tick));
		for (uint32_t node = 0; node < analysis_nnodes(&f.a); node++)
			if (node >= nsyms || f.a.cycles.of_node[node] == 0)
				expect_balance(&f, node);
		for (sym_id s = 0; s < nsyms; s++)
			expect_function_balance(&f, s);
		arena_free(&mem);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(times_are_nanoseconds),
		cmocka_unit_test(without_a_rate_times_are_ticks),
		cmocka_unit_test(without_samples_all_is_0),
		cmocka_unit_test(arcs_that_lead_back_bring_nothing),
		cmocka_unit_test(what_is_listed),
		cmocka_unit_test(a_selection_of_times_changes_nothing),
		cmocka_unit_test(errors_are_roots_of_samples),
		cmocka_unit_test(sums_are_exact),
		cmocka_unit_test(stacks_are_measured),
	};

	return cmocka_run_group_tests_name("analysis_amounts", tests, NULL, NULL);
}
