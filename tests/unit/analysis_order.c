/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Orders of functions and objects: by hand, and against the rules with lists walked step by step.
 */
#include "testing.h"

#include "analysis/graph/graph.h"
#include "analysis/order/order.h"

#define MAX_NODES 400
#define MAX_ARCS  2000

/* A graph with what the orders need beside it; symbol i is named "f<i>". */
struct made {
	struct sym sym[MAX_NODES];
	char name[MAX_NODES][16];
	uint64_t outer[MAX_NODES];
	struct symtab symtab;
	struct graph graph;
	struct calls calls;
};

static void make(struct made *m, uint32_t nnodes, const struct arc *arcs, size_t n,
		 struct arena *mem)
{
	memset(m, 0, sizeof(*m));
	for (uint32_t i = 0; i < nnodes; i++) {
		snprintf(m->name[i], sizeof(m->name[i]), "f%u", (unsigned)i);
		m->sym[i] = (struct sym){ .lo = i, .hi = i + 1, .name = m->name[i] };
	}
	for (size_t i = 0; i < n; i++) {
		if (arcs[i].from != arcs[i].to)
			m->outer[arcs[i].to] += arcs[i].ncalls;
	}
	m->symtab = (struct symtab){ m->sym, nnodes };
	m->graph = graph_build(nnodes, arcs, n, mem);
	m->calls.outer = m->outer;
}

/* The names, with blanks between them, are `expected`. */
static void expect_order(struct order order, const char *expected)
{
	char text[4096] = "";

	for (size_t i = 0; i < order.n; i++) {
		strcat(text, i > 0 ? " " : "");
		strcat(text, order.name[i]);
	}
	assert_string_equal(text, expected);
}

static void expect_functions(uint32_t nnodes, const struct arc *arcs, size_t n,
			     const char *expected)
{
	struct arena mem = test_arena();
	struct made *m = arena_array(&mem, struct made, 1);

	make(m, nnodes, arcs, n, &mem);
	expect_order(order_functions(&m->symtab, &m->graph, &m->calls, &mem), expected);
	arena_free(&mem);
}

static void graph_knows_the_age_of_arcs(void **state)
{
	static const struct arc arcs[] = { { 1, 0, 1 }, { 0, 1, 1 }, { 1, 2, 1 },
					   { 0, 1, 1 }, { 0, 2, 1 }, { 1, 0, 1 } };
	static const struct arc aged[] = { { 1, 0, 2 }, { 0, 1, 2 }, { 1, 2, 1 }, { 0, 2, 1 } };
	struct arena mem = test_arena();
	struct graph g = graph_build(3, arcs, COUNT(arcs), &mem);

	(void)state;
	assert_int_equal(g.narcs, COUNT(aged));
	for (uint32_t k = 0; k < g.narcs; k++) {
		assert_int_equal(g.arc[g.by_age[k]].from, aged[k].from);
		assert_int_equal(g.arc[g.by_age[k]].to, aged[k].to);
	}
	arena_free(&mem);
}

static void functions_without_calls_come_last(void **state)
{
	static const struct arc self[] = { { 0, 0, 5 }, { 1, 2, 0 } };
	static const struct arc root[] = { { 0, 2, 5 }, { 2, 1, 3 } };

	(void)state;
	expect_functions(0, NULL, 0, "");
	expect_functions(3, NULL, 0, "f0 f1 f2");
	expect_functions(3, self, COUNT(self), "f0 f1 f2");
	expect_functions(3, root, COUNT(root), "f2 f1 f0");
}

static void functions_join_the_nearer_end(void **state)
{
	/* f1 f2; f1's caller f3 in front; f2's callee f4 behind; f3's f5 in front: it is first. */
	static const struct arc arcs[] = { { 1, 2, 900 }, { 3, 1, 800 }, { 2, 4, 700 },
					   { 3, 5, 600 }, { 0, 3, 10 },  { 5, 1, 60 } };
	/* A tie: a lone caller goes to the front, a lone callee to the back. */
	static const struct arc callee[] = {
		{ 1, 2, 900 }, { 2, 3, 800 }, { 2, 4, 700 }, { 0, 1, 60 }
	};
	static const struct arc caller[] = {
		{ 1, 2, 900 }, { 2, 3, 800 }, { 4, 2, 700 }, { 0, 1, 60 }, { 0, 4, 60 }
	};

	(void)state;
	expect_functions(6, arcs, COUNT(arcs), "f5 f3 f1 f2 f4 f0");
	expect_functions(5, callee, COUNT(callee), "f1 f2 f3 f4 f0");
	expect_functions(5, caller, COUNT(caller), "f4 f1 f2 f3 f0");
}

static void rare_arcs_wait(void **state)
{
	/* f3 -> f4 is beyond 99 percent: strung after the first chain was symbolized. */
	static const struct arc arcs[] = {
		{ 4, 3, 1 }, { 3, 4, 2 }, { 1, 2, 1000 }, { 2, 1, 1000 }
	};

	(void)state;
	expect_functions(5, arcs, COUNT(arcs), "f1 f2 f3 f4 f0");
}

static void every_function_once(void **state)
{
	uint64_t seed = 7;

	(void)state;
	for (int round = 0; round < 60; round++) {
		struct arena mem = test_arena();
		struct made *m = arena_array(&mem, struct made, 1);
		struct arc *arcs = arena_array(&mem, struct arc, MAX_ARCS);
		bool *seen = arena_array(&mem, bool, MAX_NODES);
		uint32_t nnodes = 1 + random_below(&seed, MAX_NODES),
			 hot = 1 + random_below(&seed, 9);
		size_t n = random_below(&seed, MAX_ARCS);
		struct order order;

		for (size_t i = 0; i < n; i++)
			arcs[i] = (struct arc){ random_below(&seed, nnodes),
						random_below(&seed, i % 2 ? nnodes : hot) % nnodes,
						random_below(&seed, i % 3 ? 9 : 9000) };
		make(m, nnodes, arcs, n, &mem);
		order = order_functions(&m->symtab, &m->graph, &m->calls, &mem);
		assert_int_equal(order.n, nnodes);
		for (size_t i = 0; i < order.n; i++) {
			uint32_t s = (uint32_t)atoi(order.name[i] + 1);

			assert_false(seen[s]);
			seen[s] = true;
		}
		arena_free(&mem);
	}
}

/* f1 has most uses of 80; its caller f0 was never called. As gprof does: the caller comes first. */
static void shared_functions_come_first(void **state)
{
	struct arena mem = test_arena();
	struct made *m = arena_array(&mem, struct made, 1);
	struct arc arcs[180];
	struct order order;
	size_t n = 0;

	(void)state;
	for (uint32_t i = 2; i < 82; i++) {
		arcs[n++] = (struct arc){ i, 1, 100 };
		arcs[n++] = (struct arc){ i == 2 ? 3 : 2, i, 1 };
	}
	make(m, 82, arcs, n, &mem);
	order = order_functions(&m->symtab, &m->graph, &m->calls, &mem);
	assert_string_equal(order.name[0], "f1");
	arcs[n++] = (struct arc){ 0, 1, 1 };
	make(m, 82, arcs, n, &mem);
	order = order_functions(&m->symtab, &m->graph, &m->calls, &mem);
	assert_int_equal(order.n, 82);
	assert_string_equal(order.name[0], "f0");
	arena_free(&mem);
}

static void objects_are_listed_once(void **state)
{
	static const struct arc arcs[] = { { 3, 1, 5 }, { 0, 3, 2 }, { 2, 0, 9 } };
	static const struct map_entry entries[] = {
		{ "a", "one.o", true },   { "b", "two.o", true }, { "c", "zero.o", true },
		{ "d", "three.o", true }, { "x", "one.o", true },
	};
	struct object_map map = { entries, COUNT(entries) };
	struct arena mem = test_arena();
	struct made *m = arena_array(&mem, struct made, 1);

	(void)state;
	make(m, 5, arcs, COUNT(arcs), &mem);
	expect_order(order_objects(&m->symtab, &m->graph, &map, &mem),
		     "one.o three.o two.o zero.o");
	m->sym[1] = (struct sym){ .name = "two.o", .flags = SYM_OBJECT };
	m->sym[3] = (struct sym){ .name = "three.o", .flags = SYM_OBJECT };
	m->sym[4] = (struct sym){ .name = "two.o", .flags = SYM_OBJECT };
	expect_order(order_objects(&m->symtab, &m->graph, &map, &mem),
		     "three.o two.o one.o zero.o");
	map.n = 0;
	make(m, 5, arcs, COUNT(arcs), &mem);
	expect_order(order_objects(&m->symtab, &m->graph, &map, &mem), "");
	arena_free(&mem);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(graph_knows_the_age_of_arcs),
		cmocka_unit_test(functions_without_calls_come_last),
		cmocka_unit_test(functions_join_the_nearer_end),
		cmocka_unit_test(rare_arcs_wait),
		cmocka_unit_test(every_function_once),
		cmocka_unit_test(shared_functions_come_first),
		cmocka_unit_test(objects_are_listed_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
