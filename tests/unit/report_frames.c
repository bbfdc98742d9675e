/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rectangles of flame graphs, from trees made by hand and at random. */
#include "testing.h"

#include "export/frames.h"

enum { MAX_NODES = 200 };

static void assert_frame(const struct frame *frame, uint32_t node, uint32_t depth, uint64_t at,
			 uint64_t total)
{
	assert_int_equal(frame->node, node);
	assert_int_equal(frame->depth, depth);
	assert_int_equal(frame->at, at);
	assert_int_equal(frame->total, total);
}

static void small_ones_together(void **state)
{
	/* main: 10 of its own; a: 50, with x 20 on it; b: 4; c: 3; d: nothing; then another root */
	static const struct stack_node node[] = {
		{ .parent = STACKS_NONE, .depth = 0, .end = 6, .self = 10, .total = 67 },
		{ .function = 1, .parent = 0, .depth = 1, .end = 3, .self = 30, .total = 50 },
		{ .function = 2, .parent = 1, .depth = 2, .end = 3, .self = 20, .total = 20 },
		{ .function = 3, .parent = 0, .depth = 1, .end = 4, .self = 4, .total = 4 },
		{ .function = 4, .parent = 0, .depth = 1, .end = 5, .self = 3, .total = 3 },
		{ .function = 5, .parent = 0, .depth = 1, .end = 6, .self = 0, .total = 0 },
		{ .function = 6,
		  .parent = STACKS_NONE,
		  .depth = 0,
		  .end = 7,
		  .self = 33,
		  .total = 33 },
	};
	const struct stacks stacks = { .node = node, .n = 7, .depth = 2, .total = 100 };
	struct arena mem = test_arena();
	struct frames frames;

	(void)state;
	frames = frames_make(&stacks, 5, &mem);
	assert_int_equal(frames.n, 5);
	assert_int_equal(frames.depth, 2);
	assert_frame(&frames.frame[0], 0, 0, 0, 67);
	assert_frame(&frames.frame[1], 1, 1, 0, 50);
	assert_frame(&frames.frame[2], 2, 2, 0, 20);
	assert_frame(&frames.frame[3], FRAME_SMALL, 1, 50, 7);
	assert_int_equal(frames.frame[3].count, 2);
	assert_frame(&frames.frame[4], 6, 0, 67, 33);
	frames = frames_make(&stacks, 1, &mem);
	assert_int_equal(frames.n, 6);
	assert_frame(&frames.frame[3], 3, 1, 50, 4);
	assert_frame(&frames.frame[4], 4, 1, 54, 3);
	frames = frames_make(&stacks, 1000, &mem);
	assert_int_equal(frames.n, 1);
	assert_frame(&frames.frame[0], FRAME_SMALL, 0, 0, 100);
	assert_int_equal(frames.frame[0].count, 2);
	arena_free(&mem);
}

static void nothing(void **state)
{
	const struct stacks stacks = { .n = 0 };
	struct arena mem = test_arena();

	(void)state;
	assert_int_equal(frames_make(&stacks, 1, &mem).n, 0);
	arena_free(&mem);
}

/* A tree of n nodes: each is on the one before it, or on one of that one's callers. */
static struct stacks grow(struct stack_node node[MAX_NODES], uint32_t n, unsigned *seed)
{
	struct stacks stacks = { .node = node, .n = n };

	for (uint32_t i = 0; i < n; i++) {
		uint32_t parent = i == 0 ? STACKS_NONE : i - 1;

		while (parent != STACKS_NONE && rand_r(seed) % 3 == 0)
			parent = node[parent].parent;
		node[i] = (struct stack_node){ .function = i, .parent = parent, .end = i + 1 };
		node[i].depth = parent == STACKS_NONE ? 0 : node[parent].depth + 1;
		node[i].self = node[i].total = (uint64_t)rand_r(seed) % 20;
		stacks.total += node[i].self;
		if (node[i].depth > stacks.depth)
			stacks.depth = node[i].depth;
		for (; parent != STACKS_NONE; parent = node[parent].parent) {
			node[parent].end = i + 1;
			node[parent].total += node[i].self;
		}
	}
	return stacks;
}

/* Own times add up to the whole, no frame leaves the one below it, and none overlap. */
static void check(const struct frames *frames, uint64_t total)
{
	uint64_t self = 0, end[MAX_NODES + 2] = { 0 }, limit[MAX_NODES + 2] = { total };

	for (uint32_t i = 0; i < frames->n; i++) {
		const struct frame *frame = &frames->frame[i];

		self += frame->self;
		assert_true(frame->at >= end[frame->depth]);
		assert_true(frame->at + frame->total <= limit[frame->depth]);
		end[frame->depth] = limit[frame->depth + 1] = frame->at + frame->total;
		end[frame->depth + 1] = frame->at;
	}
	assert_int_equal(self, total);
}

static void totals_stay(void **state)
{
	struct stack_node node[MAX_NODES];
	unsigned seed = 7;

	(void)state;
	for (unsigned round = 0; round < 300; round++) {
		struct stacks stacks = grow(node, 1 + (uint32_t)rand_r(&seed) % MAX_NODES, &seed);
		struct arena mem = test_arena();
		struct frames frames = frames_make(&stacks, 1 + (uint64_t)round % 60, &mem);

		assert_true(frames.n <= stacks.n);
		check(&frames, stacks.total);
		arena_free(&mem);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(small_ones_together),
		cmocka_unit_test(nothing),
		cmocka_unit_test(totals_stay),
	};

	return cmocka_run_group_tests_name("report/frames", tests, NULL, NULL);
}
