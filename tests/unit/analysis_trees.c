/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Trees of threads and of code addresses: what each has, and that they add up to that of all. */
#include "stackset.h"

#include "analysis/stacks/trees.h"

enum { NSYMS = 3, THREADS = 2, RATE = 100, PER_TICK = 10 };

struct fixture {
	struct stack_set set;
	struct selection sel;
	struct stacks_choice choice;
};

/* a calls b from two places, and both have waited; thread 1 has b alone. */
static void init(struct fixture *f)
{
	struct stack_set *set = &f->set;
	uint32_t a, b, again;

	*f = (struct fixture){ 0 };
	set_init(set, NSYMS);
	array_push(&set->mem, &set->recorded.threads) =
		(struct recorded_thread){ .tid = 2, .name = "u" };
	for (int kind = 0; kind < 2; kind++)
		array_push(&set->mem, &set->recorded.kinds) =
			(struct recorded_kind){ .unit = { .rate = RATE } };
	a = set_add_node(set, RECORDED_NONE, 0);
	again = set_add_node(set, RECORDED_NONE, 0);
	set->recorded.nodes.at[again].address += 8;
	b = set_add_node(set, a, 1);
	set_add_sample(set, b, STACK_COMPLETE, 3);
	set_add_sample(set, set_add_node(set, again, 1), STACK_COMPLETE, 4);
	set_add_sample(set, a, STACK_COMPLETE, 2);
	set_add_sample(set, set_add_node(set, RECORDED_NONE, 1), STACK_COMPLETE, 5);
	set->recorded.samples.at[3].thread = 1;
	f->sel = (struct selection){ .flat = bitset_empty(&set->mem, NSYMS),
				     .time_on = bitset_empty(&set->mem, NSYMS),
				     .time_off = bitset_empty(&set->mem, NSYMS) };
	for (uint32_t s = 0; s < NSYMS; s++) {
		bitset_add(f->sel.flat, s);
		bitset_add(f->sel.time_on, s);
	}
	f->choice.symbolized = &set->symbolized;
	set_measure(set);
}

/* Nodes in order, "NAME[+OFFSET] SELF/TOTAL waiting" each. */
static void expect(const struct fixture *f, const struct call_trees *trees,
		   const struct stacks *tree, const char *expected)
{
	char got[1000] = "";

	for (uint32_t i = 0; i < tree->n; i++) {
		const struct stack_node *node = &tree->node[i];
		bool address = tree->of == STACKS_OF_ADDRESSES;
		const struct code_address *code = &trees->address[address ? node->function : 0];
		sym_id s = address ? code->symbol : node->function;
		size_t len = strlen(got);

		snprintf(got + len, sizeof(got) - len, "%s%s+%llu %llu/%llu %llu", i ? ", " : "",
			 f->set.sym[s].name,
			 address ? (unsigned long long)(code->pc - f->set.sym[s].lo) : 0ULL,
			 (unsigned long long)node->self, (unsigned long long)node->total,
			 (unsigned long long)node->waiting);
	}
	assert_string_equal(got, expected);
}

static void of_threads_and_addresses(void **state)
{
	struct fixture f;
	struct call_trees trees;

	(void)state;
	init(&f);
	trees = trees_make(&f.choice, &f.sel, PER_TICK, TREES_THREADS, &f.set.mem);
	expect(&f, &trees, &trees.functions, "a+0 20/90 0, b+0 70/70 0, b+0 50/50 0");
	assert_int_equal(trees.functions.total, 140);
	assert_int_equal(trees.functions.samples, 14);
	assert_false(trees.functions.adds_waiting);
	assert_int_equal(trees.nthreads, THREADS);
	assert_int_equal(trees.naddresses, 3);
	expect(&f, &trees, &trees.thread[0].functions, "a+0 20/90 0, b+0 70/70 0");
	expect(&f, &trees, &trees.thread[0].addresses,
	       "a+0 20/50 0, b+0 30/30 0, a+8 0/40 0, b+0 40/40 0");
	expect(&f, &trees, &trees.thread[1].addresses, "b+0 50/50 0");
	arena_free(&f.set.mem);
}

/* In the place of a thread is the tree of all. */
static void of_addresses_alone(void **state)
{
	struct fixture f;
	struct call_trees trees;

	(void)state;
	init(&f);
	trees = trees_make(&f.choice, &f.sel, PER_TICK, TREES_ADDRESSES, &f.set.mem);
	assert_int_equal(trees.functions.n, 0);
	assert_int_equal(trees.nthreads, 1);
	assert_int_equal(trees.thread[0].thread, RECORDED_NONE);
	expect(&f, &trees, &trees.thread[0].addresses,
	       "a+0 20/50 0, b+0 30/30 0, b+0 50/50 0, a+8 0/40 0, b+0 40/40 0");
	arena_free(&f.set.mem);
}

static void without_parts(void **state)
{
	struct fixture f;
	struct call_trees trees;

	(void)state;
	init(&f);
	trees = trees_make(&f.choice, &f.sel, PER_TICK, TREES_FUNCTIONS, &f.set.mem);
	assert_int_equal(trees.functions.total, 140);
	assert_int_equal(trees.nthreads, 0);
	assert_int_equal(trees.naddresses, 0);
	arena_free(&f.set.mem);
}

/* What ends in a function that the flat profile leaves out is in no tree. */
static void left_out(void **state)
{
	struct fixture f;
	struct call_trees trees;

	(void)state;
	init(&f);
	bitset_remove(f.sel.flat, 1);
	trees = trees_make(&f.choice, &f.sel, PER_TICK, TREES_THREADS, &f.set.mem);
	expect(&f, &trees, &trees.functions, "a+0 20/20 0, b+0 0/0 0, b+0 0/0 0");
	assert_int_equal(trees.nthreads, 1);
	arena_free(&f.set.mem);
}

/* Waiting is a part of the times, in nanoseconds, and no samples are of it. */
static void with_waiting(void **state)
{
	struct fixture f;
	struct call_trees trees;

	(void)state;
	init(&f);
	f.set.recorded.samples.at[0].kind = 1;
	f.choice.clock = (struct clock){ .waiting = 1, .off = 1 };
	trees = trees_make(&f.choice, &f.sel, 1e7, TREES_THREADS, &f.set.mem);
	assert_true(trees.functions.adds_waiting);
	expect(&f, &trees, &trees.thread[0].functions,
	       "a+0 20000000/90000000 0, b+0 70000000/70000000 30000000");
	assert_int_equal(trees.functions.samples, 11);
	assert_int_equal(trees.functions.waiting, 30000000);
	assert_int_equal(trees.functions.total, 140000000);
	arena_free(&f.set.mem);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(of_threads_and_addresses),
		cmocka_unit_test(of_addresses_alone),
		cmocka_unit_test(without_parts),
		cmocka_unit_test(left_out),
		cmocka_unit_test(with_waiting),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
