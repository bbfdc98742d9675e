/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The graph's rows: repeats added up, the arc that appeared last first, both directions agree. */
#include "testing.h"

#include "analysis/graph/graph.h"

#define MAX_ARCS 200

/* The arcs without repeats, in the order of their first appearance; returns their number. */
static uint32_t slow_sums(const struct arc *arcs, uint32_t n, struct arc *sums)
{
	uint32_t nsums = 0, k;

	for (uint32_t i = 0; i < n; i++) {
		for (k = 0; k < nsums; k++) {
			if (sums[k].from == arcs[i].from && sums[k].to == arcs[i].to)
				break;
		}
		if (k < nsums)
			sums[k].ncalls += arcs[i].ncalls;
		else
			sums[nsums++] = arcs[i];
	}
	return nsums;
}

static void assert_same_arc(const struct arc *arc, const struct arc *expected)
{
	assert_int_equal(arc->from, expected->from);
	assert_int_equal(arc->to, expected->to);
	assert_int_equal(arc->ncalls, expected->ncalls);
}

static void check_graph(uint32_t nnodes, const struct arc *arcs, uint32_t n)
{
	struct arena mem = test_arena();
	struct graph g = graph_build(nnodes, arcs, n, &mem);
	struct arc sums[MAX_ARCS];
	uint32_t nsums = slow_sums(arcs, n, sums);

	assert_int_equal(g.nnodes, nnodes);
	assert_int_equal(g.narcs, nsums);
	assert_int_equal(g.out[0], 0);
	assert_int_equal(g.in[0], 0);
	for (uint32_t node = 0; node < nnodes; node++) {
		uint32_t out = g.out[node], in = g.in[node];

		for (uint32_t k = nsums; k-- > 0;) {
			if (sums[k].from == node)
				assert_same_arc(&g.arc[out++], &sums[k]);
			if (sums[k].to == node)
				assert_same_arc(&g.arc[g.in_arc[in++]], &sums[k]);
		}
		assert_int_equal(g.out[node + 1], out);
		assert_int_equal(g.in[node + 1], in);
	}
	assert_int_equal(g.out[nnodes], nsums);
	assert_int_equal(g.in[nnodes], nsums);
	for (uint32_t k = 0; k < nsums; k++)
		assert_same_arc(&g.arc[g.by_age[k]], &sums[k]);
	arena_free(&mem);
}

static void graphs_without_arcs(void **state)
{
	(void)state;
	check_graph(0, NULL, 0);
	check_graph(1, NULL, 0);
	check_graph(7, NULL, 0);
}

static void repeats_are_added_to_the_first(void **state)
{
	static const struct arc arcs[] = { { 0, 1, 5 }, { 0, 2, 1 }, { 0, 1, 7 }, { 2, 2, 1 },
					   { 1, 0, 0 }, { 2, 2, 2 }, { 0, 1, 1 }, { 1, 0, 0 } };
	struct arena mem = test_arena();
	struct graph g = graph_build(3, arcs, COUNT(arcs), &mem);

	(void)state;
	assert_int_equal(g.narcs, 4);
	assert_same_arc(&g.arc[0], &(struct arc){ 0, 2, 1 });
	assert_same_arc(&g.arc[1], &(struct arc){ 0, 1, 13 });
	assert_same_arc(&g.arc[2], &(struct arc){ 1, 0, 0 });
	assert_same_arc(&g.arc[3], &(struct arc){ 2, 2, 3 });
	check_graph(3, arcs, COUNT(arcs));
	arena_free(&mem);
}

static void last_in_the_data_is_first_in_rows(void **state)
{
	static const struct arc arcs[] = { { 0, 3, 1 }, { 1, 3, 1 }, { 0, 1, 1 }, { 2, 3, 1 },
					   { 0, 2, 1 }, { 0, 3, 1 }, { 3, 3, 1 } };
	struct arena mem = test_arena();
	struct graph g = graph_build(4, arcs, COUNT(arcs), &mem);

	(void)state;
	assert_int_equal(g.arc[0].to, 2);
	assert_int_equal(g.arc[1].to, 1);
	assert_int_equal(g.arc[2].to, 3);
	assert_int_equal(g.arc[g.in_arc[g.in[3]]].from, 3);
	assert_int_equal(g.arc[g.in_arc[g.in[3] + 1]].from, 2);
	assert_int_equal(g.arc[g.in_arc[g.in[3] + 2]].from, 1);
	assert_int_equal(g.arc[g.in_arc[g.in[3] + 3]].from, 0);
	check_graph(4, arcs, COUNT(arcs));
	arena_free(&mem);
}

static void sums_have_64_bits(void **state)
{
	static const struct arc arcs[] = { { 0, 0, UINT32_MAX },
					   { 0, 0, UINT32_MAX },
					   { 0, 0, (uint64_t)1 << 60 } };
	struct arena mem = test_arena();
	struct graph g = graph_build(1, arcs, COUNT(arcs), &mem);

	(void)state;
	assert_int_equal(g.narcs, 1);
	assert_true(g.arc[0].ncalls == ((uint64_t)1 << 60) + 0x1fffffffe);
	arena_free(&mem);
}

static void input_is_not_changed(void **state)
{
	struct arc arcs[] = { { 0, 1, 5 }, { 0, 1, 6 }, { 1, 0, 1 } }, copy[COUNT(arcs)];
	struct arena mem = test_arena();

	(void)state;
	memcpy(copy, arcs, sizeof(arcs));
	graph_build(2, arcs, COUNT(arcs), &mem);
	for (size_t i = 0; i < COUNT(arcs); i++)
		assert_same_arc(&arcs[i], &copy[i]);
	arena_free(&mem);
}

/* As data files have them, those of a caller in the order that they had. */
static void sort_by_caller(struct arc *arcs, uint32_t n)
{
	for (uint32_t i = 1; i < n; i++) {
		struct arc arc = arcs[i];
		uint32_t at = i;

		for (; at > 0 && arcs[at - 1].from > arc.from; at--)
			arcs[at] = arcs[at - 1];
		arcs[at] = arc;
	}
}

static void random_graphs_equal_slow_ones(void **state)
{
	uint64_t seed = 11;

	(void)state;
	for (int round = 0; round < 5000; round++) {
		uint32_t nnodes = 1 + random_below(&seed, 30);
		uint32_t n = random_below(&seed, MAX_ARCS + 1);
		struct arc arcs[MAX_ARCS];

		for (uint32_t i = 0; i < n; i++)
			arcs[i] =
				(struct arc){ random_below(&seed, nnodes),
					      random_below(&seed, nnodes), random_below(&seed, 5) };
		check_graph(nnodes, arcs, n);
		sort_by_caller(arcs, n);
		check_graph(nnodes, arcs, n);
	}
}

/* Quadratic work on a row of this length would take minutes. */
static void long_rows(void **state)
{
	enum { N = 300000 };
	struct arena mem = test_arena();
	struct arc *arcs = arena_array(&mem, struct arc, 4 * N);
	struct graph g;

	(void)state;
	for (uint32_t i = 0; i < N; i++) {
		arcs[i] = arcs[2 * N + i] = (struct arc){ 0, i + 1, 1 };
		arcs[N + i] = arcs[3 * N + i] = (struct arc){ i + 1, 0, 2 };
	}
	g = graph_build(N + 1, arcs, 4 * N, &mem);
	assert_int_equal(g.narcs, 2 * N);
	assert_int_equal(g.out[1], N);
	assert_int_equal(g.in[1], N);
	for (uint32_t i = 0; i < N; i++) {
		assert_same_arc(&g.arc[i], &(struct arc){ 0, N - i, 2 });
		assert_same_arc(&g.arc[g.in_arc[i]], &(struct arc){ N - i, 0, 4 });
	}
	arena_free(&mem);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(graphs_without_arcs),
		cmocka_unit_test(repeats_are_added_to_the_first),
		cmocka_unit_test(last_in_the_data_is_first_in_rows),
		cmocka_unit_test(sums_have_64_bits),
		cmocka_unit_test(input_is_not_changed),
		cmocka_unit_test(random_graphs_equal_slow_ones),
		cmocka_unit_test(long_rows),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
