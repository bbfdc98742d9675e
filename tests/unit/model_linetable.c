/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Line tables, and the symbols made from them. */
#include "testing.h"

#include "model/symtab.h"

static const struct line_row rows[] = {
	{ 0x10, "a.c", "f", 1, 0 }, { 0x14, "a.c", "f", 2, 0 }, { 0x16, NULL, NULL, 0, 0 },
	{ 0x18, "a.c", "f", 2, 0 }, { 0x1a, "b.h", "g", 2, 0 }, { 0x20, "b.h", NULL, 3, 0 },
	{ 0x30, NULL, NULL, 0, 0 },
};
static const struct line_table table = { rows, COUNT(rows), NULL };

static void find_gives_the_row_that_holds_an_address(void **state)
{
	(void)state;
	assert_null(line_table_find(&table, 0xf));
	assert_ptr_equal(line_table_find(&table, 0x10), &rows[0]);
	assert_ptr_equal(line_table_find(&table, 0x15), &rows[1]);
	assert_ptr_equal(line_table_find(&table, 0x2f), &rows[5]);
	assert_ptr_equal(line_table_find(&table, 0xffff), &rows[6]);
}

/* Two functions, the second static, and a label inside it. */
static void lines_begin_where_line_file_or_function_change(void **state)
{
	static const struct sym functions[] = {
		{ 0x10, 0x20, "f", SYM_FUNC, 0 },
		{ 0x20, 0x40, "h", SYM_FUNC | SYM_STATIC, 1 },
	};
	static const struct sym labels[] = {
		{ 0x10, 0x20, "f", SYM_FUNC, 0 },
		{ 0x20, 0x28, "h", SYM_FUNC, 1 },
		{ 0x28, 0x40, "h.cold", SYM_FUNC, 2 },
	};
	static const struct {
		uint64_t lo;
		const char *name;
		unsigned flags;
	} expected[] = {
		{ 0x10, "f", SYM_FUNC },
		{ 0x14, "f", SYM_LINE }, /* 0x18 is the same line after a gap */
		{ 0x1a, "g", SYM_LINE },
		{ 0x20, "h", SYM_FUNC | SYM_STATIC },
		{ 0x28, "h.cold", SYM_LINE | SYM_STATIC },
	};
	const struct symtab by_function = { functions, COUNT(functions) };
	const struct symtab all = { labels, COUNT(labels) };
	struct arena mem = test_arena();
	struct symtab made = symtab_add_lines(&by_function, &all, &table, &mem);

	(void)state;
	assert_int_equal(made.nsyms, COUNT(expected));
	for (uint32_t i = 0; i < made.nsyms; i++) {
		assert_int_equal(made.sym[i].lo, expected[i].lo);
		assert_string_equal(made.sym[i].name, expected[i].name);
		assert_int_equal(made.sym[i].flags, expected[i].flags);
		assert_int_equal(made.sym[i].hi, i + 1 < made.nsyms ? expected[i + 1].lo : 0x40);
	}
	arena_free(&mem);
}

enum { LAST_PC = 64, NCASES = 2000 };

/* About every third address begins a symbol; the last one may be empty. */
static struct symtab random_symtab(struct sym *sym, uint64_t *state)
{
	static const char *const names[] = { "f", "g", "_h" };
	uint32_t n = 0;

	for (uint64_t pc = 8; pc < LAST_PC; pc++) {
		if (pc > 8 && random_below(state, 3) > 0)
			continue;
		if (n > 0)
			sym[n - 1].hi = pc;
		sym[n] = (struct sym){ pc, LAST_PC, names[random_below(state, 3)],
				       SYM_FUNC | (random_below(state, 2) ? SYM_STATIC : 0), n };
		n++;
	}
	if (random_below(state, 2))
		sym[n - 1].hi = sym[n - 1].lo;
	return (struct symtab){ sym, n };
}

static struct line_table random_rows(struct line_row *row, uint64_t *state)
{
	static const char *const files[] = { "a.c", "b.c", NULL };
	static const char *const functions[] = { "f", "i", NULL };
	size_t n = 0;

	for (uint64_t pc = random_below(state, 16); pc < LAST_PC;
	     pc += 1 + random_below(state, 5)) {
		const char *file = files[random_below(state, 3)];

		row[n++] = (struct line_row){ pc, file,
					      file ? functions[random_below(state, 3)] : NULL,
					      file ? 1 + random_below(state, 2) : 0, 0 };
	}
	row[n++] = (struct line_row){ .pc = LAST_PC };
	return (struct line_table){ row, n, NULL };
}

/* What begins at each address is looked up from the start; then symtab_build() chooses. */
static struct symtab add_slowly(const struct symtab *functions, const struct symtab *labels,
				const struct line_table *lines, struct arena *mem)
{
	struct sym *made = arena_array(mem, struct sym, (size_t)3 * LAST_PC);
	const struct line_row *before = NULL, *row;
	struct sym last = { .name = NULL };
	size_t n = 0;

	for (uint64_t pc = 0; pc < LAST_PC; pc++) {
		sym_id f = symtab_find(functions, pc), l = symtab_find(labels, pc);
		bool begins, same;
		const char *name;

		row = line_table_find(lines, pc);
		if (!row || !row->file)
			continue;
		begins = l != SYM_NONE && labels->sym[l].lo == pc && !row->function;
		name = row->function ? row->function : l != SYM_NONE ? labels->sym[l].name : NULL;
		if ((row->pc != pc && !begins) || !name)
			continue;
		same = before && before->file == row->file && strcmp(last.name, name) == 0;
		if (same && before->line == row->line)
			continue;
		last = (struct sym){ .lo = pc, .name = name, .place = UINT32_MAX };
		last.flags = SYM_LINE | (same            ? made[n - 1].flags & SYM_STATIC
					 : f != SYM_NONE ? functions->sym[f].flags & SYM_STATIC
							 : 0);
		made[n++] = last;
		before = row;
	}
	for (sym_id s = 0; s < functions->nsyms; s++)
		made[n++] = functions->sym[s];
	return symtab_build(made, n, functions->sym[functions->nsyms - 1].hi, mem);
}

static void any_lines_make_what_looking_up_makes(void **unused)
{
	(void)unused;
	for (unsigned seed = 0; seed < NCASES; seed++) {
		struct sym sym[LAST_PC], label[LAST_PC];
		struct line_row row[LAST_PC + 1];
		uint64_t state = seed;
		const struct symtab functions = random_symtab(sym, &state);
		const struct symtab labels = random_symtab(label, &state);
		const struct line_table lines = random_rows(row, &state);
		struct arena mem = test_arena();
		struct symtab fast = symtab_add_lines(&functions, &labels, &lines, &mem);
		struct symtab slow = add_slowly(&functions, &labels, &lines, &mem);

		assert_int_equal(fast.nsyms, slow.nsyms);
		for (sym_id s = 0; s < slow.nsyms; s++) {
			assert_int_equal(fast.sym[s].lo, slow.sym[s].lo);
			assert_int_equal(fast.sym[s].hi, slow.sym[s].hi);
			assert_string_equal(fast.sym[s].name, slow.sym[s].name);
			assert_int_equal(fast.sym[s].flags, slow.sym[s].flags);
			assert_int_equal(fast.sym[s].place, slow.sym[s].place);
		}
		arena_free(&mem);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(find_gives_the_row_that_holds_an_address),
		cmocka_unit_test(lines_begin_where_line_file_or_function_change),
		cmocka_unit_test(any_lines_make_what_looking_up_makes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
