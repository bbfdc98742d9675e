/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cycles and topological order against the recursive rules, and at sizes no recursion survives. */
#include "testing.h"

#include "analysis/graph/cycles.h"
#include "analysis/graph/graph.h"
#include "slow_gprof.h"

#include <sys/resource.h>

/* Cycles of n arcs among nnodes nodes equal those of the rules, number by number. */
static void check(uint32_t nnodes, const struct arc *arcs, size_t n)
{
	struct arena mem = test_arena();
	struct graph g = graph_build(nnodes, arcs, n, &mem);
	struct cycles got = cycles_find(&g, &mem);
	struct slow_program p = slow_assemble(nnodes, arcs, n, &mem);

	assert_int_equal(got.ncycles, p.ncycles);
	for (uint32_t i = 0; i < nnodes; i++) {
		assert_int_equal(got.of_node[i], p.sym[i].cycle_number);
		assert_int_equal(got.topo[i], p.order[i] - p.sym);
	}
	assert_int_equal(got.start[0], 0);
	for (uint32_t c = 1; c <= p.ncycles; c++) {
		uint32_t at = got.start[c - 1];

		for (struct slow_sym *m = p.cycle[c].next; m; m = m->next)
			assert_int_equal(got.member[at++], m - p.sym);
		assert_int_equal(at, got.start[c]);
	}
	arena_free(&mem);
}

/* Arcs written as pairs of letters: "ab ba" is a to b, b to a. */
static size_t parse_arcs(const char *text, struct arc *arcs)
{
	size_t n = 0;

	for (; *text; text += text[2] ? 3 : 2)
		arcs[n++] = (struct arc){ (uint32_t)(text[0] - 'a'), (uint32_t)(text[1] - 'a'), 1 };
	return n;
}

/* The members of all cycles, "pqr st", and the nodes in topological order, both as letters. */
static void expect_cycles(uint32_t nnodes, const char *text, const char *members, const char *topo)
{
	struct arena mem = test_arena();
	struct arc arcs[64];
	size_t n = parse_arcs(text, arcs);
	struct graph g = graph_build(nnodes, arcs, n, &mem);
	struct cycles c = cycles_find(&g, &mem);
	char got[64] = "", order[64] = "", *to = got;

	for (uint32_t k = 1; k <= c.ncycles; k++) {
		if (k > 1)
			*to++ = ' ';
		for (uint32_t i = c.start[k - 1]; i < c.start[k]; i++)
			*to++ = (char)('a' + c.member[i]);
	}
	for (uint32_t i = 0; i < nnodes; i++)
		order[i] = (char)('a' + c.topo[i]);
	assert_string_equal(got, members);
	assert_string_equal(order, topo);
	check(nnodes, arcs, n);
	arena_free(&mem);
}

static void small_graphs(void **state)
{
	(void)state;
	expect_cycles(0, "", "", "");
	expect_cycles(1, "", "", "a");
	expect_cycles(1, "aa", "", "a");
	expect_cycles(3, "", "", "abc");
	expect_cycles(3, "ab bc", "", "cba");
	expect_cycles(3, "cb ba", "", "abc");
	expect_cycles(2, "ab ba", "ab", "ab");
	expect_cycles(2, "aa ab ba bb", "ab", "ab");
	expect_cycles(3, "ac ca bc", "ac", "acb");
	expect_cycles(4, "ab ba cd dc", "ab cd", "abcd");
	/* The walk begins at the last arc in the data, so c is closed before b. */
	expect_cycles(3, "ab ba ac ca", "acb", "abc");
	expect_cycles(3, "ac ca ab ba", "abc", "abc");
}

/* main p q r s t u v w x are a to j. */
static void three_cycles_in_one_program(void **state)
{
	(void)state;
	expect_cycles(10, "ab bc cd db de ef fe ff ag gh hi ig ih je", "bcd ef ghi", "ghiefbcdaj");
}

static void random_small_graphs(void **state)
{
	uint64_t seed = 41;
	uint32_t with_cycles = 0;

	(void)state;
	for (int round = 0; round < 2000; round++) {
		struct arena mem = test_arena();
		uint32_t nnodes = 1 + random_below(&seed, 12);
		uint32_t n = random_below(&seed, 3 * nnodes + 1);
		struct arc *arcs = slow_random_arcs(nnodes, n, &seed, &mem);

		check(nnodes, arcs, n);
		with_cycles += slow_assemble(nnodes, arcs, n, &mem).ncycles > 0;
		arena_free(&mem);
	}
	assert_in_range(with_cycles, 500, 1900);
}

static void random_large_graphs(void **state)
{
	static const uint32_t percent[] = { 50, 90, 100, 110, 130, 160, 200, 300, 500, 1000 };
	uint64_t seed = 42;

	(void)state;
	for (int round = 0; round < 10; round++) {
		for (size_t i = 0; i < COUNT(percent); i++) {
			struct arena mem = test_arena();
			uint32_t n = 2 * percent[i];

			check(200, slow_random_arcs(200, n, &seed, &mem), n);
			arena_free(&mem);
		}
	}
}

/* A tree of calls with arcs back to nodes on the way: cycles within cycles, closed step by step. */
static void random_nested_cycles(void **state)
{
	enum { N = 200 };
	uint64_t seed = 43;

	(void)state;
	for (int round = 0; round < 200; round++) {
		struct arc arcs[4 * N];
		uint32_t nback = random_below(&seed, 2 * N), n = 0, reach = 2 + round % 30;

		for (uint32_t i = 1; i < N; i++) {
			uint32_t up = 1 + random_below(&seed, i < 3 ? i : 3);

			arcs[n++] = (struct arc){ i - up, i, 1 };
		}
		for (uint32_t k = 0; k < nback; k++) {
			uint32_t i = random_below(&seed, N), up = random_below(&seed, reach);

			arcs[n++] = (struct arc){ i, up < i ? i - up : 0, 1 };
		}
		check(N, arcs, n);
	}
}

/* No more stack than a shell usually gives. */
static int limit_stack(void **state)
{
	struct rlimit limit;

	(void)state;
	if (getrlimit(RLIMIT_STACK, &limit) < 0)
		return -1;
	if (limit.rlim_cur > 8 * 1024 * 1024)
		limit.rlim_cur = 8 * 1024 * 1024;
	return setrlimit(RLIMIT_STACK, &limit);
}

static void chain_of_a_million(void **state)
{
	enum { N = 1000000 };
	struct arena mem = test_arena();
	struct arc *arcs = arena_array(&mem, struct arc, N);
	struct graph g;
	struct cycles c;

	(void)state;
	for (uint32_t i = 0; i + 1 < N; i++)
		arcs[i] = (struct arc){ i, i + 1, 1 };
	g = graph_build(N, arcs, N - 1, &mem);
	c = cycles_find(&g, &mem);
	assert_int_equal(c.ncycles, 0);
	for (uint32_t i = 0; i < N; i++) {
		if (c.topo[i] != N - 1 - i || c.of_node[i] != 0)
			fail_msg("node %u stands wrong", i);
	}
	arena_free(&mem);
}

static void ring_of_many(void **state)
{
	enum { N = 300000 };
	struct arena mem = test_arena();
	struct arc *arcs = arena_array(&mem, struct arc, 2 * N);
	struct graph g;
	struct cycles c;

	(void)state;
	for (uint32_t i = 0; i < N; i++) {
		arcs[i] = (struct arc){ i, (i + 1) % N, 1 };
		arcs[N + i] = (struct arc){ (i + 1) % N, i, 1 };
	}
	for (size_t n = N; n <= 2 * N; n += N) {
		g = graph_build(N, arcs, n, &mem);
		c = cycles_find(&g, &mem);
		assert_int_equal(c.ncycles, 1);
		assert_int_equal(c.start[1], N);
		assert_int_equal(c.member[0], 0);
		for (uint32_t i = 0; i < N; i++) {
			if (c.topo[i] != i || c.of_node[i] != 1)
				fail_msg("node %u stands wrong", i);
		}
	}
	arena_free(&mem);
}

/* Every arc back reaches only one node: merging the whole cycle each time would be quadratic. */
static void many_arcs_back(void **state)
{
	enum { N = 300000 };
	struct arena mem = test_arena();
	struct arc *arcs = arena_array(&mem, struct arc, 3 * N);
	struct graph g;
	struct cycles c;
	uint32_t n = 0;

	(void)state;
	for (uint32_t i = 0; i + 1 < N; i++) {
		arcs[n++] = (struct arc){ i, i + 1, 1 };
		arcs[n++] = (struct arc){ i + 1, i, 1 };
		arcs[n++] = (struct arc){ i + 1, 0, 1 };
	}
	g = graph_build(N, arcs, n, &mem);
	c = cycles_find(&g, &mem);
	assert_int_equal(c.ncycles, 1);
	assert_int_equal(c.start[1], N);
	arena_free(&mem);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(small_graphs),
		cmocka_unit_test(three_cycles_in_one_program),
		cmocka_unit_test(random_small_graphs),
		cmocka_unit_test(random_large_graphs),
		cmocka_unit_test(random_nested_cycles),
		cmocka_unit_test(chain_of_a_million),
		cmocka_unit_test(ring_of_many),
		cmocka_unit_test(many_arcs_back),
	};

	return cmocka_run_group_tests(tests, limit_stack, NULL);
}
