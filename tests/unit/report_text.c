/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the text reports share: the order of entries, names, numbers, units, pages. */
#include "testing.h"

#include "handmade.h"
#include "report/entries.h"
#include "report/labels.h"

static struct text prepare_as_asked(struct handmade *h, struct arena *mem)
{
	struct text t = text_prepare(REPORT_GRAPH, &h->view, &h->opt, mem);

	entries_order(&t);
	labels_make(&t, mem);
	return t;
}

/* With zeros, so that everything is in the order and has a number. */
static struct text prepare(struct handmade *h, struct arena *mem)
{
	h->opt.zeros = true;
	return prepare_as_asked(h, mem);
}

/* Nodes of a handmade analysis in the order of entries, cycles in digits. */
static void expect_order(struct handmade *h, const char *expected, struct arena *mem)
{
	struct text t = prepare(h, mem);
	uint32_t nsyms = h->a.graph.nnodes, n = nsyms + h->a.cycles.ncycles;
	char got[MADE_NODES + 1] = "";

	for (uint32_t i = 0; i < n; i++) {
		uint32_t node = t.order[i];

		got[i] = (char)(node < nsyms ? 'a' + (int)node : '1' + (int)(node - nsyms));
		assert_int_equal(t.number[node], i + 1);
	}
	assert_string_equal(got, expected);
}

static void entries_by_time(void **state)
{
	struct arena mem = test_arena();
	struct handmade h;

	(void)state;
	handmade_init(&h, 4, 1, &mem);
	h.self[0] = 1;
	h.self[1] = 2;
	h.children[1] = 1;
	h.children[2] = 5;
	h.self[4] = 4;
	expect_order(&h, "c1bad", &mem);
	arena_free(&mem);
}

static void entries_of_equal_time(void **state)
{
	struct arena mem = test_arena();
	struct handmade h;

	(void)state;
	handmade_init(&h, 8, 2, &mem);
	/* Cycles, names without underscore, most calls, name, address. */
	h.sym[0].name = "_z";
	h.sym[1].name = "__a";
	h.sym[2].name = "same";
	h.sym[3].name = "same";
	h.sym[4].name = "Same";
	h.sym[5].name = "z";
	h.sym[6].name = "often";
	h.sym[7].name = "_often";
	h.outer[6] = 3;
	h.outer[7] = 9;
	h.outer[0] = 1;
	/* Calls by itself do not count. */
	h.own[5] = 100;
	expect_order(&h, "12gecdfhab", &mem);
	h.self[7] = 1e-9;
	expect_order(&h, "h12gecdfab", &mem);
	arena_free(&mem);
}

/* Numbers of what can be printed are those that a sort of everything gives. */
static void symbols_without_data_are_counted(void **state)
{
	static const char *const names[] = { "a", "_a", "b", "_b", "same", "_same" };
	uint32_t seed = 1;

	(void)state;
	for (int round = 0; round < 2000; round++) {
		struct arena mem = test_arena();
		struct handmade h;
		struct text all, some;

		handmade_init(&h, MADE_SYMS, 2, &mem);
		for (uint32_t s = 0; s < MADE_SYMS; s++) {
			seed = seed * 1103515245 + 12345;
			h.sym[s].name = names[seed >> 16 & 3 ? (seed >> 20) % COUNT(names) : 4];
			if (seed >> 24 & 3 || s % 2)
				continue; /* so most have none */
			h.ticks[s] = 1;
			h.self[s] = seed >> 26 & 1;
			h.outer[s] = seed >> 27 & 3;
		}
		all = prepare(&h, &mem);
		h.opt.zeros = false;
		some = prepare_as_asked(&h, &mem);
		assert_int_equal(all.norder, MADE_SYMS + 2);
		for (uint32_t i = 0, k = 0; i < all.norder; i++) {
			uint32_t node = all.order[i];

			if (node < MADE_SYMS && h.ticks[node] == 0)
				continue;
			assert_true(k < some.norder && some.order[k++] == node);
			assert_int_equal(some.number[node], i + 1);
		}
		arena_free(&mem);
	}
}

/* Writes something of a node; returns the number of columns. */
typedef size_t node_writer(const struct text *t, uint32_t node, struct output *out);

/* What `write` puts out, in mem; its return value in *n. */
static char *written(node_writer *write, const struct text *t, uint32_t node, size_t *n,
		     struct arena *mem)
{
	struct messages log = { 0 };
	struct diag diag = test_diag(&log);
	struct output out;
	int fd = memory_file();

	output_open(&out, fd, "out", &diag);
	*n = write(t, node, &out);
	assert_int_equal(output_close(&out), 0);
	return written_text(fd, mem);
}

static void expect_written(node_writer *write, const struct text *t, uint32_t node,
			   const char *expected, struct arena *mem)
{
	size_t n;

	assert_string_equal(written(write, t, node, &n, mem), expected);
	assert_int_equal(n, strlen(expected));
}

static size_t number_text(const struct text *t, uint32_t node, struct output *out)
{
	char number[LABEL_NUMBER_BYTES];
	size_t n = labels_number(t, node, number);

	assert_int_equal(n, strlen(number));
	output_text(out, number);
	return n;
}

static size_t graph_name(const struct text *t, uint32_t node, struct output *out)
{
	labels_graph_name(t, node, TEXT_ALL, out);
	return (size_t)out->total;
}

static void names_and_numbers(void **state)
{
	struct arena mem = test_arena();
	struct handmade h;
	struct text t;

	(void)state;
	handmade_init(&h, 3, 1, &mem);
	h.sym[1].name = "_Z3fooid";
	h.of_node[2] = 1;
	h.self[2] = 1;
	bitset_remove(h.a.costs.graph.shown, 0);
	t = prepare(&h, &mem);
	expect_written(number_text, &t, 2, "[1]", &mem);
	expect_written(number_text, &t, 3, "[2]", &mem);
	expect_written(number_text, &t, 0, "(3)", &mem);
	expect_written(labels_name, &t, 1, "_Z3fooid", &mem);
	expect_written(graph_name, &t, 0, "a (3)\n", &mem);
	expect_written(graph_name, &t, 1, "_Z3fooid [4]\n", &mem);
	expect_written(graph_name, &t, 2, "c <cycle 1> [1]\n", &mem);
	h.opt.demangle = DEMANGLE_AUTO;
	t = prepare(&h, &mem);
	for (int i = 0; i < 3; i++)
		expect_written(labels_name, &t, 1, "foo(int, double)", &mem);
	expect_written(graph_name, &t, 1, "foo(int, double) [4]\n", &mem);
	arena_free(&mem);
}

static void names_with_their_place(void **state)
{
	struct arena mem = test_arena();
	struct handmade h;
	struct text t;

	(void)state;
	handmade_init(&h, 3, 0, &mem);
	h.location[0] = (struct location){ "/usr/src/x.c", 17 };
	h.location[1] = (struct location){ "y.c", UINT32_MAX };
	t = prepare(&h, &mem);
	expect_written(labels_name, &t, 0, "a", &mem);
	h.opt.inline_files = true;
	t = prepare(&h, &mem);
	expect_written(labels_name, &t, 0, "a (x.c:17)", &mem);
	expect_written(labels_name, &t, 1, "b (y.c:4294967295)", &mem);
	expect_written(labels_name, &t, 2, "c", &mem);
	expect_written(graph_name, &t, 0, "a (x.c:17) [1]\n", &mem);
	h.opt.print_path = true;
	t = prepare(&h, &mem);
	expect_written(labels_name, &t, 0, "a (/usr/src/x.c:17)", &mem);
	arena_free(&mem);
}

static void files_by_their_last_part(void **state)
{
	static const char *const files[][2] = { { "x.c", "x.c" },
						{ "/x.c", "x.c" },
						{ "././x.c", "x.c" },
						{ "a/b/", "" },
						{ "", "" } };
	struct arena mem = test_arena();
	struct handmade h;
	struct text t;

	(void)state;
	handmade_init(&h, 1, 0, &mem);
	t = prepare(&h, &mem);
	for (size_t i = 0; i < COUNT(files); i++)
		assert_string_equal(labels_file(&t, files[i][0]), files[i][1]);
	h.opt.print_path = true;
	for (size_t i = 0; i < COUNT(files); i++)
		assert_string_equal(labels_file(&t, files[i][0]), files[i][0]);
	arena_free(&mem);
}

static void units_of_time(void **state)
{
	struct arena mem = test_arena();
	struct handmade h;
	struct text t;

	(void)state;
	handmade_init(&h, 1, 0, &mem);
	strcpy(h.profile.unit.dimension, "metres");
	h.profile.unit.abbrev = 'm';
	t = prepare(&h, &mem);
	assert_same_double(t.rate, 100.0);
	assert_string_equal(t.dimension, "metres");
	assert_int_equal(t.abbrev, 'm');
	h.profile.unit.rate = 0;
	t = prepare(&h, &mem);
	assert_same_double(t.rate, 1.0);
	assert_string_equal(t.dimension, "ticks");
	assert_int_equal(t.abbrev, 't');
	h.profile.has_hists = false;
	h.profile.hists.n = 0;
	t = prepare(&h, &mem);
	assert_same_double(t.rate, 1.0);
	assert_string_equal(t.dimension, "seconds");
	assert_int_equal(t.abbrev, 's');
	assert_int_equal(text_granularity(&t), 0);
	arena_free(&mem);
}

/* Whole units of two bytes. */
static void granularity(void **state)
{
	static const struct {
		uint64_t nbytes;
		uint32_t nbins;
		long shown;
	} cases[] = { { 0x100, 0x40, 4 }, { 399, 100, 2 },
		      { 400, 100, 4 },    { 1, 1, 0 },
		      { 0x100, 0, 0 },    { 0x100, 0x80, 2 },
		      { 0x100, 1, 256 },  { 0x1000000000, 1, 0x1000000000 } };
	struct arena mem = test_arena();
	struct handmade h;
	struct text t;

	(void)state;
	handmade_init(&h, 1, 0, &mem);
	t = prepare(&h, &mem);
	for (size_t i = 0; i < COUNT(cases); i++) {
		h.hist.hi = h.hist.lo + cases[i].nbytes;
		h.hist.nbins = cases[i].nbins;
		assert_int_equal(text_granularity(&t), cases[i].shown);
	}
	arena_free(&mem);
}

static size_t page(const struct text *t, uint32_t node, struct output *out)
{
	(void)t;
	if (node)
		output_text(out, "x");
	text_page(out);
	return (size_t)out->total;
}

static void first_page_has_no_separator(void **state)
{
	struct arena mem = test_arena();

	(void)state;
	expect_written(page, NULL, 0, "", &mem);
	expect_written(page, NULL, 1, "x\f\n", &mem);
	arena_free(&mem);
}

static void lists_leave_out_the_unused(void **state)
{
	struct arena mem = test_arena();
	struct handmade h;

	(void)state;
	handmade_init(&h, 4, 0, &mem);
	h.outer[1] = 1;
	h.ticks[2] = 0.001;
	h.own[3] = 5;
	assert_false(entries_lists(&h.a, &h.opt, 0));
	assert_true(entries_lists(&h.a, &h.opt, 1));
	assert_true(entries_lists(&h.a, &h.opt, 2));
	assert_false(entries_lists(&h.a, &h.opt, 3));
	h.opt.zeros = true;
	for (sym_id s = 0; s < 4; s++)
		assert_true(entries_lists(&h.a, &h.opt, s));
	arena_free(&mem);
}

/* As the linker knows them, whatever the style; so does the traditional layout. */
static void raw_names(void **state)
{
	struct arena mem = test_arena();
	struct handmade h;
	struct text t;

	(void)state;
	handmade_init(&h, 3, 1, &mem);
	h.sym[1].name = "_Z3fooid";
	h.opt.demangle = DEMANGLE_GNU_V3;
	for (int i = 0; i < 4; i++) {
		h.opt.raw_names = i & 1;
		h.opt.traditional = i & 2;
		t = prepare(&h, &mem);
		expect_written(labels_name, &t, 1, i ? "_Z3fooid" : "foo(int, double)", &mem);
	}
	h.profile.has_arcs = false;
	h.of_node[1] = 1;
	t = prepare(&h, &mem);
	expect_written(graph_name, &t, 1, "_Z3fooid <cycle 1>\n", &mem);
	arena_free(&mem);
}

static void long_numbers(void **state)
{
	struct arena mem = test_arena();
	struct handmade h;
	uint32_t numbers[1] = { UINT32_MAX };
	char number[LABEL_NUMBER_BYTES];
	struct text t;

	(void)state;
	handmade_init(&h, 1, 0, &mem);
	t = prepare(&h, &mem);
	t.number = numbers;
	t.labels = NULL; /* made before, with the other number */
	assert_int_equal(labels_number(&t, 0, number), 12);
	assert_string_equal(number, "[4294967295]");
	arena_free(&mem);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(entries_by_time),
		cmocka_unit_test(entries_of_equal_time),
		cmocka_unit_test(symbols_without_data_are_counted),
		cmocka_unit_test(names_and_numbers),
		cmocka_unit_test(names_with_their_place),
		cmocka_unit_test(files_by_their_last_part),
		cmocka_unit_test(units_of_time),
		cmocka_unit_test(granularity),
		cmocka_unit_test(first_page_has_no_separator),
		cmocka_unit_test(lists_leave_out_the_unused),
		cmocka_unit_test(raw_names),
		cmocka_unit_test(long_numbers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
