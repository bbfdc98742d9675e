/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The frames of the first screen, from trees made by hand. */
#include "testing.h"

#include "analysis/top_frames.h"
#include "analysis/top_waits.h"

enum { MAIN, PARSE, EMIT, HASH, FOLD, FUNCTIONS };

static const char *const names[] = { "main", "parse", "emit", "hash", "fold" };

/* A node whose end and total nobody reads here. */
static struct stack_node made(sym_id function, uint32_t parent, uint32_t depth, uint64_t self)
{
	return (struct stack_node){
		.function = function, .parent = parent, .depth = depth, .self = self
	};
}

/* `expected` has a line for each frame: its name and ticks, with a blank for each level. */
static void assert_frames(const struct stack_node *node, uint32_t n, const char *expected)
{
	struct arena mem = test_arena();
	struct sym sym[FUNCTIONS] = { { .name = NULL } };
	struct program program = { .symtab = { sym, FUNCTIONS } };
	struct analysis a = { .program = &program, .tree = { .node = node, .n = n, .depth = 3 } };
	const struct top_frame *frame;
	char said[200];
	size_t length = 0;
	uint32_t nframes = 0;

	for (sym_id s = 0; s < FUNCTIONS; s++)
		sym[s].name = names[s];
	for (uint32_t i = 0; i < n; i++)
		a.costs.all += (double)node[i].self;
	a.costs.origin.start = SYM_NONE;
	frame = top_frames_make(&a, &nframes, &mem);
	for (uint32_t i = 0; i < nframes; i++)
		length += (size_t)snprintf(said + length, sizeof(said) - length, "%*s%s %.0f\n",
					   (int)frame[i].depth, "", names[frame[i].function],
					   frame[i].ticks);
	assert_string_equal(said, expected);
	arena_free(&mem);
}

static void time_divides(void **state)
{
	const struct stack_node node[] = {
		made(MAIN, STACKS_NONE, 0, 10),
		made(PARSE, 0, 1, 20),
		made(HASH, 1, 2, 30),
		made(EMIT, 0, 1, 40),
	};

	(void)state;
	assert_frames(node, 4, "main 100\n parse 50\n  hash 30\n emit 40\n");
}

/* parse and emit are hidden, since hash has nearly all of their time. */
static void several_ways_are_one_frame(void **state)
{
	const struct stack_node node[] = {
		made(MAIN, STACKS_NONE, 0, 14), made(PARSE, 0, 1, 4), made(HASH, 1, 2, 10),
		made(FOLD, 2, 3, 30),           made(EMIT, 0, 1, 2),  made(HASH, 4, 2, 25),
		made(FOLD, 5, 3, 15),
	};

	(void)state;
	assert_frames(node, 7, "main 100\n hash 80\n  fold 45\n");
}

/* The sum of hash is larger than parse, which is larger than each part. */
static void sums_are_in_order(void **state)
{
	const struct stack_node node[] = {
		made(MAIN, STACKS_NONE, 0, 10), made(PARSE, 0, 1, 30), made(EMIT, 0, 1, 1),
		made(HASH, 2, 2, 25),           made(FOLD, 0, 1, 2),   made(HASH, 4, 2, 32),
	};

	(void)state;
	assert_frames(node, 6, "main 100\n hash 57\n parse 30\n");
}

/* hash is of a library of the system, whose lines happen to be known. */
static void libraries_have_no_lines(void **state)
{
	struct arena mem = test_arena();
	struct sym sym[FUNCTIONS] = { [HASH] = { .flags = SYM_FOREIGN } };
	const struct program program = { .symtab = { sym, FUNCTIONS } };
	const struct analysis a = { .program = &program, .costs.origin.start = SYM_NONE };
	const struct top_frame frame[] = { { .function = MAIN }, { .function = HASH, .depth = 1 } };
	struct stack_node node[] = { made(0, STACKS_NONE, 0, 10), made(1, 0, 1, 30) };
	const struct code_address address[] = { { .symbol = MAIN }, { .symbol = HASH } };
	const struct thread_trees thread = { .addresses = { .node = node, .n = 2, .depth = 2 } };
	const struct call_trees trees = {
		.address = address, .naddresses = 2, .thread = &thread, .nthreads = 1
	};
	const struct source_frame source[] = { { "main.c", 12, FRAME_OWN, FRAME_LAST },
					       { "hash.S", 34, FRAME_OWN, FRAME_LAST } };
	const uint32_t address_frame[] = { 0, 1 };
	const struct line_costs costs = { .frame = source,
					  .nframes = 2,
					  .address_frame = address_frame };
	const struct top_frame *with;

	(void)state;
	for (sym_id s = 0; s < FUNCTIONS; s++)
		sym[s].name = names[s];
	node[0].total = 40;
	node[1].total = 30;
	with = top_waits_add_lines(&a, frame, 2, &trees, &costs, &mem);
	assert_int_equal(with[0].line.line, 12);
	assert_null(with[1].line.file);
	arena_free(&mem);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(time_divides),
		cmocka_unit_test(several_ways_are_one_frame),
		cmocka_unit_test(sums_are_in_order),
		cmocka_unit_test(libraries_have_no_lines),
	};

	return cmocka_run_group_tests_name("analysis/top_frames", tests, NULL, NULL);
}
