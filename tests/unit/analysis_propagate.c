/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Calls and propagated time: by hand, to the last bit against the rules, and as a whole. */
#include "testing.h"

#include "analysis/graph/cycles.h"
#include "analysis/graph/graph.h"
#include "analysis/graph/propagate.h"
#include "slow_gprof.h"

#include <math.h>

/* A graph with ticks and a selection that shows everything, and what comes of them. */
struct program {
	struct graph graph;
	struct cycles cycles;
	double *ticks;
	struct selection sel;
	struct costs costs;
};

static struct program make_program(uint32_t nsyms, const struct arc *arcs, size_t n,
				   struct arena *mem)
{
	struct program p = {
		.graph = graph_build(nsyms, arcs, n, mem),
		.ticks = arena_array(mem, double, nsyms),
		.sel = {
			.graph_on = bitset_empty(mem, nsyms),
			.graph_off = bitset_empty(mem, nsyms),
			.time_on = bitset_empty(mem, nsyms),
			.time_off = bitset_empty(mem, nsyms),
		},
	};

	p.cycles = cycles_find(&p.graph, mem);
	for (sym_id s = 0; s < nsyms; s++) {
		bitset_add(p.sel.graph_on, s);
		bitset_add(p.sel.time_on, s);
	}
	return p;
}

static void run(struct program *p, struct arena *mem)
{
	p->costs.self = p->ticks;
	p->costs.calls = propagate_count_calls(&p->graph, &p->cycles, mem);
	propagate(&p->costs, &p->graph, &p->cycles, &p->sel, mem);
}

/* The node's own time and that of its callees. */
static void expect_times(const struct program *p, uint32_t node, double self, double children)
{
	assert_same_double(p->costs.graph.self[node], self);
	assert_same_double(p->costs.graph.children[node], children);
}

static void callers_share_by_calls(void **state)
{
	static const struct arc arcs[] = { { 0, 1, 1 }, { 0, 2, 2 }, { 1, 3, 3 }, { 2, 3, 1 } };
	struct arena mem = test_arena();
	struct program p = make_program(4, arcs, COUNT(arcs), &mem);

	(void)state;
	p.ticks[0] = 1;
	p.ticks[1] = 2;
	p.ticks[3] = 8;
	run(&p, &mem);
	assert_int_equal(p.costs.calls.outer[0], 0);
	assert_int_equal(p.costs.calls.outer[3], 4);
	assert_int_equal(p.costs.calls.self[3], 0);
	expect_times(&p, 0, 1, 10);
	expect_times(&p, 1, 2, 6);
	expect_times(&p, 2, 0, 2);
	expect_times(&p, 3, 8, 0);
	assert_same_double(p.costs.children[0], 10);
	assert_same_double(p.costs.graph.total, 11);
	arena_free(&mem);
}

static void own_calls_carry_no_time(void **state)
{
	static const struct arc arcs[] = { { 0, 1, 2 }, { 1, 1, 7 }, { 0, 0, 1 }, { 2, 1, 0 } };
	struct arena mem = test_arena();
	struct program p = make_program(3, arcs, COUNT(arcs), &mem);

	(void)state;
	p.ticks[1] = 4;
	run(&p, &mem);
	assert_int_equal(p.costs.calls.outer[1], 2);
	assert_int_equal(p.costs.calls.self[1], 7);
	assert_int_equal(p.costs.calls.self[0], 1);
	expect_times(&p, 0, 0, 4);
	expect_times(&p, 1, 4, 0);
	expect_times(&p, 2, 0, 0);
	arena_free(&mem);
}

/* a calls the cycle of b and c, which calls d; c also calls itself. */
static void cycle_counts_as_one(void **state)
{
	static const struct arc arcs[] = { { 0, 1, 3 }, { 1, 2, 10 }, { 2, 1, 9 },
					   { 2, 2, 5 }, { 2, 3, 1 },  { 0, 2, 1 } };
	struct arena mem = test_arena();
	struct program p = make_program(4, arcs, COUNT(arcs), &mem);
	const uint32_t cycle = 4;

	(void)state;
	for (sym_id s = 0; s < 4; s++)
		p.ticks[s] = s + 1;
	run(&p, &mem);
	assert_int_equal(p.cycles.ncycles, 1);
	assert_int_equal(p.costs.calls.outer[cycle], 4);
	assert_int_equal(p.costs.calls.self[cycle], 19);
	assert_int_equal(p.costs.calls.outer[1], 12);
	assert_int_equal(p.costs.calls.outer[2], 11);
	assert_int_equal(p.costs.calls.self[2], 5);
	expect_times(&p, 0, 1, 9);
	expect_times(&p, 1, 2, 0);
	expect_times(&p, 2, 3, 4);
	expect_times(&p, cycle, 5, 4);
	assert_true(bitset_has(p.costs.graph.shown, cycle));
	assert_same_double(p.costs.graph.total, 10);
	arena_free(&mem);
}

/* Without callers outside, a cycle has neither an entry nor time; its members have both. */
static void cycle_without_callers(void **state)
{
	static const struct arc arcs[] = { { 0, 1, 3 }, { 1, 0, 3 }, { 1, 2, 1 } };
	struct arena mem = test_arena();
	struct program p = make_program(3, arcs, COUNT(arcs), &mem);

	(void)state;
	p.ticks[0] = 1;
	p.ticks[1] = 2;
	p.ticks[2] = 4;
	run(&p, &mem);
	assert_false(bitset_has(p.costs.graph.shown, 3));
	assert_true(bitset_has(p.costs.graph.shown, 0));
	expect_times(&p, 0, 1, 0);
	expect_times(&p, 1, 2, 4);
	expect_times(&p, 3, 0, 4);
	assert_same_double(p.costs.graph.total, 7);
	arena_free(&mem);
}

/* Everything below the one symbol that is let in is shown and counts, but nothing above it. */
static void what_is_let_in_brings_its_callees(void **state)
{
	static const struct arc arcs[] = { { 0, 1, 1 }, { 1, 2, 1 }, { 0, 2, 3 } };
	struct arena mem = test_arena();
	struct program p = make_program(3, arcs, COUNT(arcs), &mem);

	(void)state;
	for (sym_id s = 0; s < 3; s++) {
		p.ticks[s] = 8;
		if (s != 1) {
			bitset_remove(p.sel.graph_on, s);
			bitset_remove(p.sel.time_on, s);
		}
	}
	run(&p, &mem);
	assert_false(bitset_has(p.costs.graph.shown, 0));
	assert_true(bitset_has(p.costs.graph.shown, 1));
	assert_true(bitset_has(p.costs.graph.shown, 2));
	expect_times(&p, 0, 0, 0);
	expect_times(&p, 1, 8, 2);
	expect_times(&p, 2, 2, 0);
	assert_same_double(p.costs.graph.total, 10);
	arena_free(&mem);
}

static void below_one_that_is_put_out_time_counts_anew(void **state)
{
	static const struct arc arcs[] = { { 0, 1, 1 }, { 1, 2, 1 } };
	struct arena mem = test_arena();
	struct program p = make_program(3, arcs, COUNT(arcs), &mem);

	(void)state;
	for (sym_id s = 0; s < 3; s++)
		p.ticks[s] = 8;
	bitset_remove(p.sel.graph_on, 1);
	bitset_remove(p.sel.time_on, 1);
	bitset_add(p.sel.graph_off, 1);
	bitset_add(p.sel.time_off, 1);
	run(&p, &mem);
	assert_true(bitset_has(p.costs.graph.shown, 0));
	assert_false(bitset_has(p.costs.graph.shown, 1));
	assert_true(bitset_has(p.costs.graph.shown, 2));
	expect_times(&p, 0, 8, 0);
	expect_times(&p, 1, 0, 0);
	expect_times(&p, 2, 8, 0);
	assert_same_double(p.costs.graph.total, 16);
	arena_free(&mem);
}

static void compare_node(const struct program *p, uint32_t node, const struct slow_sym *s)
{
	assert_int_equal(p->costs.calls.outer[node], s->calls);
	assert_int_equal(p->costs.calls.self[node], s->self_calls);
	assert_int_equal(bitset_has(p->costs.graph.shown, node), s->print);
	assert_same_double(p->costs.children[node], s->child_time);
	assert_same_double(p->costs.graph.self[node], s->prop_self);
	assert_same_double(p->costs.graph.children[node], s->prop_child);
}

static void compare(const struct program *p, const struct slow_program *slow)
{
	assert_same_double(p->costs.graph.total, slow->print_time);
	for (sym_id s = 0; s < slow->nsyms; s++) {
		uint32_t at = p->graph.out[s];

		compare_node(p, s, &slow->sym[s]);
		for (struct slow_arc *arc = slow->sym[s].children; arc; arc = arc->next_child) {
			assert_int_equal(p->graph.arc[at].to, arc->child - slow->sym);
			assert_same_double(p->costs.graph.up[at].self, arc->self_time);
			assert_same_double(p->costs.graph.up[at].children, arc->child_time);
			at++;
		}
	}
	for (uint32_t c = 1; c <= slow->ncycles; c++)
		compare_node(p, slow->nsyms + c - 1, &slow->cycle[c]);
}

/* Ticks, whole or not, and for each selection one of: let in, put out, neither. */
static void choose_at_random(struct program *p, struct slow_program *slow, bool selective,
			     uint64_t *seed)
{
	for (sym_id s = 0; s < slow->nsyms; s++) {
		struct slow_sym *sym = &slow->sym[s];
		uint32_t graph = selective ? random_below(seed, 3) : 0;
		uint32_t time = selective ? random_below(seed, 3) : 0;

		sym->print_on = graph == 0;
		sym->print_off = graph == 1;
		sym->time_on = time == 0;
		sym->time_off = time == 1;
		sym->ticks = random_below(seed, 3) * random_below(seed, 1000) /
			     (1.0 + random_below(seed, 7));
		p->ticks[s] = sym->ticks;
		if (!sym->print_on)
			bitset_remove(p->sel.graph_on, s);
		if (sym->print_off)
			bitset_add(p->sel.graph_off, s);
		if (!sym->time_on)
			bitset_remove(p->sel.time_on, s);
		if (sym->time_off)
			bitset_add(p->sel.time_off, s);
	}
}

static void check_random(uint32_t nsyms, uint32_t narcs, bool selective, uint64_t *seed)
{
	struct arena mem = test_arena();
	struct arc *arcs = slow_random_arcs(nsyms, narcs, seed, &mem);
	struct program p = make_program(nsyms, arcs, narcs, &mem);
	struct slow_program slow = slow_assemble(nsyms, arcs, narcs, &mem);

	choose_at_random(&p, &slow, selective, seed);
	slow_propagate(&slow);
	run(&p, &mem);
	compare(&p, &slow);
	arena_free(&mem);
}

static void random_programs_equal_slow_ones(void **state)
{
	uint64_t seed = 51;

	(void)state;
	for (int round = 0; round < 3000; round++) {
		uint32_t nsyms = 1 + random_below(&seed, 12);

		check_random(nsyms, random_below(&seed, 3 * nsyms + 1), false, &seed);
	}
	for (uint32_t percent = 50; percent <= 400; percent += 10)
		check_random(200, 2 * percent, false, &seed);
}

static void random_selections_equal_slow_ones(void **state)
{
	uint64_t seed = 52;

	(void)state;
	for (int round = 0; round < 3000; round++) {
		uint32_t nsyms = 1 + random_below(&seed, 12);

		check_random(nsyms, random_below(&seed, 3 * nsyms + 1), true, &seed);
	}
	for (uint32_t percent = 50; percent <= 400; percent += 10)
		check_random(200, 2 * percent, true, &seed);
}

/* Time of what nobody calls, callees included; of a cycle, that of its members. */
static double time_at_the_roots(const struct program *p)
{
	double sum = 0.0;

	for (sym_id s = 0; s < p->graph.nnodes; s++) {
		uint32_t cycle = p->cycles.of_node[s];
		uint32_t whole = cycle ? p->graph.nnodes + cycle - 1 : s;

		if (p->costs.calls.outer[whole] == 0)
			sum += p->costs.graph.self[s] + p->costs.graph.children[s];
	}
	return sum;
}

static void all_time_arrives_at_the_roots(void **state)
{
	uint64_t seed = 53;

	(void)state;
	for (int round = 0; round < 1000; round++) {
		struct arena mem = test_arena();
		uint32_t nsyms = 1 + random_below(&seed, 100);
		uint32_t narcs = random_below(&seed, 3 * nsyms);
		struct arc *arcs = slow_random_arcs(nsyms, narcs, &seed, &mem);
		struct program p = make_program(nsyms, arcs, narcs, &mem);
		double sum = 0.0;

		for (sym_id s = 0; s < nsyms; s++)
			sum += p.ticks[s] = random_below(&seed, 1000);
		run(&p, &mem);
		assert_true(fabs(time_at_the_roots(&p) - sum) <= 1e-9 * sum);
		assert_true(fabs(p.costs.graph.total - sum) <= 1e-9 * sum);
		arena_free(&mem);
	}
}

/* The sums of both kinds of calls are what the data said. */
static void no_call_is_lost(void **state)
{
	uint64_t seed = 54;

	(void)state;
	for (int round = 0; round < 500; round++) {
		struct arena mem = test_arena();
		uint32_t nsyms = 1 + random_below(&seed, 20);
		uint32_t narcs = random_below(&seed, 3 * nsyms);
		struct arc *arcs = slow_random_arcs(nsyms, narcs, &seed, &mem);
		struct program p = make_program(nsyms, arcs, narcs, &mem);
		uint64_t sum = 0, expected = 0;

		run(&p, &mem);
		for (uint32_t i = 0; i < narcs; i++)
			expected += arcs[i].ncalls;
		for (sym_id s = 0; s < nsyms; s++)
			sum += p.costs.calls.outer[s] + p.costs.calls.self[s];
		assert_int_equal(sum, expected);
		arena_free(&mem);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(callers_share_by_calls),
		cmocka_unit_test(own_calls_carry_no_time),
		cmocka_unit_test(cycle_counts_as_one),
		cmocka_unit_test(cycle_without_callers),
		cmocka_unit_test(what_is_let_in_brings_its_callees),
		cmocka_unit_test(below_one_that_is_put_out_time_counts_anew),
		cmocka_unit_test(random_programs_equal_slow_ones),
		cmocka_unit_test(random_selections_equal_slow_ones),
		cmocka_unit_test(all_time_arrives_at_the_roots),
		cmocka_unit_test(no_call_is_lost),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
