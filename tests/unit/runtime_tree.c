/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tree of stacks: by several threads at once, to its limit, and when its blocks are spoiled. */
#include <pthread.h>
#include <string.h>

#include "count/count_block.h"
#include "record/tree.h"
#include "state.h"
#include "testing.h"

enum { LIMIT = 6000, THREADS = 4, PATHS = 3000, DEPTH = 12, FIRST = 0x1000 };

static int start(void **state)
{
	(void)state;
	gmon.blocks.page = 4096;
	return tree_start(LIMIT) ? 0 : -1;
}

/* Functions on a path: all begin alike, so that threads meet at the same nodes. */
static uintptr_t address_of(unsigned path, unsigned depth)
{
	return FIRST + (depth < 3 ? depth : path * 2654435761u >> (DEPTH - depth) & 7) * 16;
}

static uint32_t add_path(unsigned path)
{
	uint32_t node = TREE_ROOT;

	for (unsigned depth = 0; depth < DEPTH; depth++) {
		uint32_t child = tree_child(node, address_of(path, depth), depth % 3);

		if (!child)
			return 0;
		assert_true(child > node);
		assert_int_equal(tree_node(child)->parent, node);
		assert_int_equal(tree_node(child)->address, address_of(path, depth));
		assert_int_equal(tree_node(child)->module, depth % 3);
		node = child;
	}
	return node;
}

static void *add_paths(void *nodes)
{
	for (unsigned path = 0; path < PATHS; path++)
		((uint32_t *)nodes)[path] = add_path(path % 300);
	return NULL;
}

static void test_threads(void **state)
{
	static uint32_t node[THREADS][PATHS];
	pthread_t thread[THREADS];

	(void)state;
	for (int i = 0; i < THREADS; i++)
		assert_int_equal(pthread_create(&thread[i], NULL, add_paths, node[i]), 0);
	for (int i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
	for (int i = 1; i < THREADS; i++)
		assert_memory_equal(node[0], node[i], sizeof(node[0]));
	assert_true(node[0][0] > 0 && node[0][1] != node[0][2]);
	assert_true(tree_end() - 1 <= LIMIT);
}

/* Addresses, parents and modules tell nodes apart. */
static void test_keys(void **state)
{
	uint32_t a = tree_child(TREE_ROOT, 77, 1);

	(void)state;
	assert_true(a > 0);
	assert_int_equal(tree_child(TREE_ROOT, 77, 1), a);
	assert_int_not_equal(tree_child(TREE_ROOT, 77, 2), a);
	assert_int_not_equal(tree_child(TREE_ROOT, 78, 1), a);
	assert_int_not_equal(tree_child(a, 77, 1), a);
}

static void test_limit(void **state)
{
	uint32_t n = 0;

	(void)state;
	for (unsigned i = 0; i < 2 * LIMIT; i++)
		n += tree_child(TREE_ROOT, 0x100000 + i, 0) > 0;
	assert_true(n > 0 && n < LIMIT);
	assert_int_equal(tree_end(), LIMIT + 1);
	assert_true(tree_child(TREE_ROOT, 0x100000, 0) > 0);
	assert_int_equal(tree_child(TREE_ROOT, 0x100000 + 2 * LIMIT, 0), 0);
}

/* Somebody has written to the file: what was there is not found, and nothing is followed. */
static void test_spoiled(void **state)
{
	(void)state;
	assert_true(tree_forked());
	assert_int_equal(tree_end(), TREE_ROOT + 1);
	assert_int_equal(add_path(1), DEPTH);
	for (struct count_block *block = count_block_first(); block;
	     block = count_block_next(block))
		if (count_block_is(block, GMON_LIVE_NODES))
			memset((char *)block + GMON_LIVE_BLOCK_HEAD, 0xff, block->word * 16);
	assert_int_equal(tree_child(TREE_ROOT, address_of(1, 0), 0), DEPTH + 1);
	assert_int_equal(tree_child(UINT32_MAX, 1, UINT32_MAX), DEPTH + 2);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_threads),
		cmocka_unit_test(test_keys),
		cmocka_unit_test(test_limit),
		cmocka_unit_test(test_spoiled),
	};

	return cmocka_run_group_tests(tests, start, NULL);
}
