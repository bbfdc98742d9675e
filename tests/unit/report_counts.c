/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The execution counts of analyses made by hand: lines and their order. */
#include "testing.h"

#include "handmade.h"

static char *counts(struct handmade *h, struct arena *mem)
{
	return handmade_reports(h, REPORT_COUNTS, NULL, mem);
}

static void lines_in_full(void **state)
{
	struct arena mem = test_arena();
	struct handmade h;

	(void)state;
	handmade_init(&h, 5, 0, &mem);
	h.sym[0].name = "_Z1av";
	h.location[0] = (struct location){ "dir/z.c", 7 };
	h.location[1] = (struct location){ "dir/y.c", 90 };
	h.location[2] = (struct location){ "dir/y.c", 9 };
	h.location[3] = (struct location){ "dir/z.c", 8 };
	h.location[4] = (struct location){ "dir/y.c", 9 };
	h.outer[0] = 1;
	h.outer[1] = (uint64_t)1 << 40;
	h.outer[4] = 5;
	h.own[2] = 3;
	h.opt.demangle = DEMANGLE_AUTO;
	assert_string_equal(counts(&h, &mem), "dir/y.c:9: (e:0x1040) 5 executions\n"
					      "dir/y.c:90: (b:0x1010) 1099511627776 executions\n"
					      "dir/z.c:7: (_Z1av:0x1000) 1 executions\n");
	h.opt.zeros = true;
	assert_non_null(strstr(counts(&h, &mem), "dir/y.c:9: (c:0x1020) 0 executions\n"
						 "dir/y.c:9: (e:0x1040) 5 executions\n"));
	bitset_remove(h.a.selection.exec, 2);
	assert_null(strstr(counts(&h, &mem), "(c:"));
	h.location[3].file = NULL;
	h.location[3].line = 0;
	assert_non_null(strstr(counts(&h, &mem), "<unknown>:0: (d:0x1030) 0 executions\n"));
	arena_free(&mem);
}

static bool before(const struct handmade *h, sym_id x, sym_id y)
{
	const struct location *a = &h->location[x], *b = &h->location[y];

	if (a->file && b->file && strcmp(a->file, b->file) != 0)
		return strcmp(a->file, b->file) < 0;
	if (a->file && b->file && a->line != b->line)
		return a->line < b->line;
	return x < y;
}

/* Halves, the smaller first; merged from the left while that is not behind the right. */
static void slow_sort(const struct handmade *h, sym_id *ids, uint32_t n)
{
	sym_id copy[MADE_SYMS];
	uint32_t half = n / 2, i = 0, k = half;

	if (n < 2)
		return;
	slow_sort(h, ids, half);
	slow_sort(h, ids + half, n - half);
	memcpy(copy, ids, n * sizeof(*ids));
	for (uint32_t to = 0; to < n; to++) {
		bool right = i == half || (k < n && before(h, copy[k], copy[i]));

		ids[to] = right ? copy[k++] : copy[i++];
	}
}

/* Where only some files are known the order is none: the procedure decides. */
static void order_with_unknown_files(void **state)
{
	static const char *const files[] = { NULL, "a.c", "b.c", "c.c" };
	uint64_t seed = 71;

	(void)state;
	for (int round = 0; round < 500; round++) {
		struct arena mem = test_arena();
		struct handmade h;
		sym_id ids[MADE_SYMS];
		uint32_t n = random_below(&seed, MADE_SYMS + 1);
		char *text;

		handmade_init(&h, n, 0, &mem);
		h.opt.zeros = true;
		for (sym_id s = 0; s < n; s++) {
			h.location[s].file = files[random_below(&seed, COUNT(files))];
			h.location[s].line = h.location[s].file ? random_below(&seed, 3) : 0;
			ids[s] = s;
		}
		slow_sort(&h, ids, n);
		text = counts(&h, &mem);
		for (uint32_t i = 0; i < n; i++) {
			text = strchr(text, '(');
			assert_non_null(text);
			assert_int_equal(text[1], 'a' + (int)ids[i]);
			text++;
		}
		assert_null(strchr(text, '('));
		arena_free(&mem);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_in_full),
		cmocka_unit_test(order_with_unknown_files),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
