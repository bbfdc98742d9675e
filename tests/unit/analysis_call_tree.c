/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From recorded stacks to a tree of functions: what vanishes, what stands for what is missing, and
 * which count. */
#include "stackset.h"

/* Of n things, number i. */
static struct bitset one_of(struct stack_set *set, size_t n, uint32_t i)
{
	struct bitset one = bitset_empty(&set->mem, n);

	bitset_add(one, i);
	return one;
}

/* What is skipped counts for its caller; calls within an object do not show. */
static void skipped_and_whole(void **state)
{
	struct stack_set set;

	(void)state;
	set_init(&set, 4);
	set.sym[2].flags = SYM_WHOLE;
	bitset_add(set.symbolized.skipped, 3);
	set_add(&set, "ad", 1);
	set_add(&set, "adb", 2);
	set_add(&set, "accc", 4);
	set_add(&set, "acdcb", 8);
	set_add(&set, "dd", 16);
	set_measure(&set);
	expect_tree(&set, "d 16/16, a 1/15, ac 4/12, acb 8/8, ab 2/2");
	arena_free(&set.mem);
}

/* a is the entry point, c the library that calls main and begins threads. */
static void what_begins_threads_vanishes(void **state)
{
	struct stack_set set;

	(void)state;
	set_init(&set, 5);
	set.sym[2].flags = set.sym[4].flags = SYM_WHOLE;
	set.symbolized.start = 0;
	set_add(&set, "accb", 1);
	set_add(&set, "acbcd", 2);
	set_add(&set, "acc", 4);
	set_add(&set, "cd", 8);
	set_add(&set, "ccecd", 16);
	set_add(&set, "bcd", 32);
	set_measure(&set);
	expect_tree(&set, "b 0/32, bc 0/32, bcd 32/32, e 0/16, ec 0/16, ecd 16/16, d 8/8, a 0/7, "
			  "ac 4/4, ab 1/3, abc 0/2, abcd 2/2");
	arena_free(&set.mem);
}

/* Of stacks that count, and no others. */
static void qualities(void **state)
{
	struct stack_set set;
	struct bitset on, off;

	(void)state;
	set_init(&set, 4);
	on = one_of(&set, 4, 0);
	off = bitset_empty(&set.mem, 4);
	set.choice.on = &on;
	set.choice.off = &off;
	set.symbolized.cut = set.symbolized.unseen = 3;
	set_add(&set, "ab", 1);
	set_add(&set, "bb", 2);
	set_add_sample(&set, 0, STACK_CUT, 4);
	set_add_sample(&set, 1, STACK_GUESSED, 8);
	set_add_sample(&set, RECORDED_NONE, STACK_UNSEEN, 16);
	set_measure(&set);
	assert_int_equal(set.quality[STACK_COMPLETE], 1);
	assert_int_equal(set.quality[STACK_GUESSED], 8);
	assert_int_equal(set.quality[STACK_BROKEN], 0);
	assert_int_equal(set.quality[STACK_CUT], 4);
	assert_int_equal(set.quality[STACK_UNSEEN], 0);
	assert_int_equal(set.measured.total, 13);
	bitset_add(on, 3);
	set_measure(&set);
	assert_int_equal(set.quality[STACK_UNSEEN], 16);
	assert_int_equal(set.measured.total, 29);
	arena_free(&set.mem);
}

/* What lacks its inner end has a symbol there, where no gap says what is missing. */
static void missing_functions(void **state)
{
	struct stack_set set;
	struct bitset roots;

	(void)state;
	set_init(&set, 5);
	set.symbolized.cut = 3;
	set.symbolized.unseen = 4;
	set.sym[3].flags = set.sym[4].flags = SYM_WHOLE;
	set_add(&set, "ab", 1);
	set_add_sample(&set, 1, STACK_CUT, 2);
	set_add(&set, "adb", 4);
	set.recorded.samples.at[2].quality = STACK_CUT;
	set_add_sample(&set, RECORDED_NONE, STACK_CUT, 8);
	set_add_sample(&set, RECORDED_NONE, STACK_UNSEEN, 16);
	set_measure(&set);
	expect_tree(&set, "e 16/16, d 8/8, a 0/7, ad 0/4, adb 4/4, ab 1/3, abd 2/2");
	assert_int_equal(set.measured.inclusive[3], 14);
	assert_int_equal(set.measured.self[1], 5);
	roots = one_of(&set, 5, 3);
	set.choice.roots = &roots;
	set_measure(&set);
	expect_tree(&set, "d 10/14, db 4/4");
	arena_free(&set.mem);
}

/* Of a table without a symbol for them, as no sample has them. */
static void stacks_without_a_symbol(void **state)
{
	struct stack_set set;

	(void)state;
	set_init(&set, 2);
	set_add(&set, "ab", 1);
	set_add_sample(&set, RECORDED_NONE, STACK_UNSEEN, 2);
	set_add_sample(&set, RECORDED_NONE, STACK_CUT, 4);
	set_measure(&set);
	expect_tree(&set, "a 0/1, ab 1/1");
	assert_int_equal(set.measured.total, 1);
	arena_free(&set.mem);
}

/* It is skipped, and its own time does not count. */
static void recorder(void **state)
{
	struct stack_set set;

	(void)state;
	set_init(&set, 4);
	set.sym[3].flags = SYM_WHOLE;
	set.recorded.modules.at[LIBRARY].flags = MODULE_RECORDER;
	bitset_add(set.symbolized.skipped, 3);
	set_add(&set, "adb", 1);
	set_add(&set, "dab", 2);
	set_add(&set, "abd", 4);
	set_measure(&set);
	expect_tree(&set, "a 0/3, ab 3/3");
	assert_int_equal(set.measured.total, 3);
	arena_free(&set.mem);
}

/* Below the symbol of broken stacks; nodes that whole ones have, too, are there as well. */
static void broken_stacks(void **state)
{
	struct stack_set set;

	(void)state;
	set_init(&set, 4);
	set.symbolized.broken = 3;
	set_add(&set, "ab", 10);
	set_add_sample(&set, 1, STACK_BROKEN, 2);
	set_add_sample(&set, 0, STACK_GUESSED, 3);
	set_measure(&set);
	expect_tree(&set, "a 3/13, ab 10/10, d 0/2, da 0/2, dab 2/2");
	assert_int_equal(set.measured.inclusive[0], 15);
	assert_int_equal(set.measured.inclusive[3], 2);
	assert_int_equal(set.measured.total, 15);
	arena_free(&set.mem);
}

static void threads_and_kinds(void **state)
{
	struct stack_set set;
	struct bitset threads;

	(void)state;
	set_init(&set, 3);
	set.symbolized.broken = set.symbolized.unseen = 2;
	threads = one_of(&set, 2, 1);
	set.choice.threads = &threads;
	set_add(&set, "ab", 10);
	set_add(&set, "b", 5);
	set.recorded.samples.at[1].thread = 1;
	set_add(&set, "bb", 7);
	set.recorded.samples.at[2].thread = 1;
	set.recorded.samples.at[2].kind = 1;
	set_add_sample(&set, RECORDED_NONE, STACK_UNSEEN, 1);
	set_measure(&set);
	expect_tree(&set, "b 5/5");
	set.choice.clock.kind = 1;
	set_measure(&set);
	expect_tree(&set, "b 0/7, bb 7/7");
	arena_free(&set.mem);
}

/* In one tree, each beside the other; what waits for longer stands first, in the same unit. */
static void waiting(void **state)
{
	struct stack_set set;
	struct stacks tree;
	struct bitset idle;

	(void)state;
	set_init(&set, 4);
	array_push(&set.mem, &set.recorded.kinds) =
		(struct recorded_kind){ .unit = { .rate = 100 } };
	array_push(&set.mem, &set.recorded.kinds) =
		(struct recorded_kind){ .unit = { .rate = 1000 } };
	set_add(&set, "ab", 10);
	set_add(&set, "ac", 990);
	set.recorded.samples.at[1].kind = 1;
	set_add(&set, "a", 20);
	set.recorded.samples.at[2].kind = 1;
	set.recorded.samples.at[2].thread = 1;
	set.choice.clock = (struct clock){ .waiting = 1, .off = 1 };
	set_measure(&set);
	tree = set.stacks;
	assert_int_equal(tree.n, 3);
	assert_int_equal(tree.total, 10);
	assert_int_equal(tree.waiting, 1010);
	assert_int_equal(tree.node[0].self, 0);
	assert_int_equal(tree.node[0].waiting, 20);
	assert_int_equal(tree.node[0].total_waiting, 1010);
	assert_int_equal(tree.node[1].function, 2); /* 99 as ticks of the other */
	assert_int_equal(tree.node[2].function, 1);
	assert_int_equal(set.quality[STACK_COMPLETE], 10);
	idle = one_of(&set, 2, 1);
	set.choice.clock.idle = idle;
	tree = call_tree_make(&set.symbolized, &set.choice, NULL, &set.mem);
	assert_int_equal(tree.waiting, 990);
	arena_free(&set.mem);
}

/* From b on, but not in c, unless b is called from there; and trees that begin with b. */
static void chosen_functions(void **state)
{
	struct stack_set set;
	struct bitset on, off;

	(void)state;
	set_init(&set, 4);
	on = one_of(&set, 4, 1);
	off = one_of(&set, 4, 2);
	set.choice.on = &on;
	set.choice.off = &off;
	set_add(&set, "a", 1);
	set_add(&set, "ab", 2);
	set_add(&set, "abd", 4);
	set_add(&set, "abc", 8);
	set_add(&set, "abcd", 16);
	set_add(&set, "abcdbd", 32);
	set_measure(&set);
	expect_tree(&set,
		    "a 0/38, ab 2/38, abc 0/32, abcd 0/32, abcdb 0/32, abcdbd 32/32, abd 4/4");
	set.choice.stays_off = true;
	set_measure(&set);
	expect_tree(&set, "a 0/6, ab 2/6, abd 4/4");
	set.choice = (struct call_tree_choice){ .roots = &on };
	set_measure(&set);
	expect_tree(&set, "b 2/62, bc 8/56, bcd 16/48, bcdb 0/32, bcdbd 32/32, bd 4/4");
	arena_free(&set.mem);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(skipped_and_whole),
		cmocka_unit_test(what_begins_threads_vanishes),
		cmocka_unit_test(qualities),
		cmocka_unit_test(missing_functions),
		cmocka_unit_test(stacks_without_a_symbol),
		cmocka_unit_test(recorder),
		cmocka_unit_test(broken_stacks),
		cmocka_unit_test(threads_and_kinds),
		cmocka_unit_test(waiting),
		cmocka_unit_test(chosen_functions),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
