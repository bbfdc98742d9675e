/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names of code that was made at run time. */
#include "testing.h"

#include "io/profile/perf_map.h"

#include <time.h>

enum { NODES = 8 };

/*
 * A recording of stacks at 0x10000, 0x11000, ..., each called by one in a library and with one
 * tick; the last node is a gap.
 */
static struct recorded make_recording(struct arena *mem)
{
	struct recorded rec = { .nfiles = 1, .ticks = NODES };

	array_push(mem, &rec.modules) =
		(struct module){ .lo = 0x1000, .hi = 0x2000, .path = "/lib/x.so" };
	array_push(mem, &rec.threads) = (struct recorded_thread){ .name = "main" };
	array_push(mem, &rec.kinds) = (struct recorded_kind){ "cpu", { 100, "seconds", 's' } };
	array_push(mem, &rec.nodes) = (struct recorded_node){ RECORDED_NONE, 0, 0x1000 };
	for (uint32_t i = 0; i < NODES; i++) {
		array_push(mem, &rec.nodes) =
			(struct recorded_node){ 0, RECORDED_NONE, 0x10000 + 0x1000 * i };
		array_push(mem, &rec.samples) =
			(struct recorded_sample){ .node = i + 1, .ticks = 1 };
	}
	array_push(mem, &rec.nodes) = (struct recorded_node){ 0, RECORDED_NONE, RECORDED_GAP };
	return rec;
}

/* The name of the function with sample i: as the map told, or NULL. */
static const char *name_of(const struct recorded *rec, size_t i)
{
	const struct recorded_node *node = &rec->nodes.at[rec->samples.at[i].node];

	if (node->module == RECORDED_NONE)
		return NULL;
	assert_true(rec->modules.at[node->module].flags & MODULE_MADE);
	assert_true(node->address < rec->made.n && rec->modules.at[node->module].hi == rec->made.n);
	return rec->made.at[node->address].name;
}

static void apply(struct recorded *rec, const char *text, size_t n, struct arena *mem)
{
	struct made_names names;

	made_names_begin(&names, rec, mem);
	perf_map_apply(&names, text, n);
	made_names_end(&names, rec, mem);
}

/* Applies a map; expects these names, "-" for none, of the first samples, and none of the others.
 */
static void expect_names(const char *text, size_t n, const char *const *names, size_t nnames)
{
	struct arena mem = test_arena();
	struct recorded rec = make_recording(&mem);

	apply(&rec, text, n, &mem);
	for (size_t i = 0; i < NODES; i++) {
		const char *name = name_of(&rec, i), *wanted = i < nnames ? names[i] : "-";

		assert_string_equal(name ? name : "-", wanted);
	}
	arena_free(&mem);
}

#define EXPECT_NAMES(text, ...)                                                    \
	expect_names(text, sizeof(text) - 1, (const char *const[]){ __VA_ARGS__ }, \
		     sizeof((const char *const[]){ __VA_ARGS__ }) / sizeof(const char *))

static void lines_name_their_addresses(void **state)
{
	(void)state;
	EXPECT_NAMES("10000 10 one\n11000 1 two words: x.js\n13fff 2 four\n", "one",
		     "two words: x.js", "-", "-", "four");
	EXPECT_NAMES("0x10000 0x10 with 0x\n00000000011000 FFf hexadecimal", "with 0x",
		     "hexadecimal");
	EXPECT_NAMES("f000 1000 ends before\n10001 1 begins after\n", "-");
	EXPECT_NAMES("", "-");
}

static void later_lines_win(void **state)
{
	(void)state;
	EXPECT_NAMES("10000 8000 all\n11000 2000 some\n12000 1 one\n", "all", "some", "one", "all",
		     "all", "all", "all", "all");
	EXPECT_NAMES("12000 1 one\n11000 2000 some\n", "-", "some", "some");
	EXPECT_NAMES("0 ffffffffffffffff all\n", "all", "all", "all", "all", "all", "all", "all",
		     "all");
	EXPECT_NAMES("10000 ffffffffffffffff beyond\n", "beyond", "beyond", "beyond", "beyond",
		     "beyond", "beyond", "beyond", "beyond");
}

static void what_is_no_line_is_skipped(void **state)
{
	(void)state;
	EXPECT_NAMES("10000\n10000 10\n10000 10 \n10000 x name\n-1 10 name\n10000g 1 n\n\n"
		     "11111111111111111110000 10 too long\n 10000 1 blank\n\n\n",
		     "-");
}

static void control_characters_are_shown(void **state)
{
	(void)state;
	EXPECT_NAMES("10000 1 a\033[31mb\n11000 1 x\0y\n12000 1 \177\n13000 1 caf\303\251\r\n",
		     "a\\033[31mb", "x\\000y", "\\177", "caf\303\251\\015");
}

static void long_names_are_cut(void **state)
{
	char text[3000] = "10000 1 ", wanted[MADE_NAMES_BYTES + 8];
	const char *names[] = { wanted };

	(void)state;
	memset(text + 8, 'x', 2900);
	/* An e with an accent would be cut in its middle. */
	memcpy(text + 8 + MADE_NAMES_BYTES - 1, "\303\251", 2);
	memset(wanted, 'x', MADE_NAMES_BYTES);
	strcpy(wanted + MADE_NAMES_BYTES - 1, "...");
	expect_names(text, strlen(text), names, 1);
}

/* Two addresses of a function become one node, and so do their ticks' samples. */
static void nodes_of_a_function_are_one(void **state)
{
	static const char text[] = "10000 2000 f\n12000 1 g\n13000 1 f\n";
	struct arena mem = test_arena();
	struct recorded rec = make_recording(&mem);

	(void)state;
	apply(&rec, text, sizeof(text) - 1, &mem);
	assert_int_equal(rec.made.n, 2);
	assert_int_equal(rec.nodes.n, 1 + NODES + 1 - 2);
	assert_int_equal(rec.samples.at[0].node, rec.samples.at[1].node);
	assert_int_equal(rec.samples.at[0].node, rec.samples.at[3].node);
	for (size_t i = 0; i < rec.nodes.n; i++)
		assert_true(rec.nodes.at[i].parent == RECORDED_NONE || rec.nodes.at[i].parent < i);
	arena_free(&mem);
}

/* A million lines over all addresses would take hours if each looked at all. */
static void a_million_lines_take_no_time(void **state)
{
	enum { LINES = 1000000, LINE = 24, MANY = 100000 };
	struct arena mem = test_arena();
	struct recorded rec = make_recording(&mem);
	char *text = malloc((size_t)LINES * LINE + 1), *to = text;
	clock_t begun;

	(void)state;
	for (uint32_t i = 0; i < MANY; i++)
		array_push(&mem, &rec.nodes) =
			(struct recorded_node){ 0, RECORDED_NONE, 0x1000000 + i };
	for (int i = 0; i < LINES; i++)
		to += sprintf(to, "10000 ffffffff n%d\n", i);
	begun = clock();
	apply(&rec, text, (size_t)(to - text), &mem);
	assert_true(clock() - begun < 20 * CLOCKS_PER_SEC);
	assert_int_equal(rec.made.n, 1);
	assert_string_equal(name_of(&rec, 0), "n999999");
	free(text);
	arena_free(&mem);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_name_their_addresses),
		cmocka_unit_test(later_lines_win),
		cmocka_unit_test(what_is_no_line_is_skipped),
		cmocka_unit_test(control_characters_are_shown),
		cmocka_unit_test(long_names_are_cut),
		cmocka_unit_test(nodes_of_a_function_are_one),
		cmocka_unit_test(a_million_lines_take_no_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
