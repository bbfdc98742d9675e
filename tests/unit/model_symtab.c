/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The symbol table: who wins an address, where symbols end, finding them. */
#include "testing.h"

#include "model/symtab.h"

enum { GLOBAL = 0, STATIC = SYM_STATIC, FUNC = SYM_FUNC };

#define MAX_CANDIDATES 60

static struct sym candidate(uint64_t lo, const char *name, unsigned flags)
{
	return (struct sym){ .lo = lo, .hi = 0xbad, .name = name, .flags = flags };
}

struct contender {
	const char *name;
	unsigned flags;
};

/* Builds a table of contenders for one address, in the given order, and expects the winner. */
static void expect_winner(const struct contender *c, const int *order, int n, const char *winner)
{
	struct arena mem = test_arena();
	struct sym syms[3];
	struct symtab table;

	for (int i = 0; i < n; i++)
		syms[i] = candidate(0x1000, c[order[i]].name, c[order[i]].flags);
	table = symtab_build(syms, (size_t)n, 0x2000, &mem);
	assert_int_equal(table.nsyms, 1);
	assert_string_equal(table.sym[0].name, winner);
	assert_int_equal(table.sym[0].lo, 0x1000);
	assert_int_equal(table.sym[0].hi, 0x2000);
	arena_free(&mem);
}

/* The winner is the same in whatever order the contenders stand. */
static void expect_winner_in_any_order(const struct contender *c, int n, const char *winner)
{
	static const int two[][2] = { { 0, 1 }, { 1, 0 } };
	static const int three[][3] = { { 0, 1, 2 }, { 0, 2, 1 }, { 1, 0, 2 },
					{ 1, 2, 0 }, { 2, 0, 1 }, { 2, 1, 0 } };

	if (n == 2) {
		for (size_t i = 0; i < COUNT(two); i++)
			expect_winner(c, two[i], n, winner);
		return;
	}
	for (size_t i = 0; i < COUNT(three); i++)
		expect_winner(c, three[i], n, winner);
}

static void best_name_wins(void **state)
{
	static const struct {
		struct contender c[3];
		int n;
		const char *winner;
	} cases[] = {
		/* A global label or object beats a static function. */
		{ { { "f", STATIC | FUNC }, { "label", GLOBAL } }, 2, "label" },
		{ { { "f", STATIC | FUNC }, { "_object", GLOBAL } }, 2, "_object" },
		{ { { "f", STATIC | FUNC }, { "__g", GLOBAL | FUNC } }, 2, "__g" },
		{ { { "f", STATIC }, { "__g", GLOBAL } }, 2, "__g" },
		/* Of equals in that, the function. */
		{ { { "__x", GLOBAL | FUNC }, { "x", GLOBAL } }, 2, "__x" },
		{ { { "__x", STATIC | FUNC }, { "x", STATIC } }, 2, "__x" },
		/* Then fewer underscores, of which the third and later ones do not count. */
		{ { { "__f", FUNC }, { "_f", FUNC }, { "f", FUNC } }, 3, "f" },
		{ { { "__f", FUNC }, { "_f", FUNC } }, 2, "_f" },
		{ { { "__f", STATIC }, { "_f", STATIC }, { "f", STATIC } }, 3, "f" },
		{ { { "__f", FUNC }, { "", FUNC } }, 2, "" },
		{ { { "__f", FUNC }, { "_", FUNC } }, 2, "_" },
		{ { { "_a", FUNC }, { "b", STATIC | FUNC }, { "c", GLOBAL } }, 3, "_a" },
		{ { { "__a", STATIC | FUNC }, { "b", STATIC }, { "__c", GLOBAL } }, 3, "__c" },
		{ { { "__a", GLOBAL }, { "b", STATIC }, { "c", STATIC | FUNC } }, 3, "__a" },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++)
		expect_winner_in_any_order(cases[i].c, cases[i].n, cases[i].winner);
}

static void first_of_equals_wins(void **state)
{
	static const struct contender pairs[][2] = {
		{ { "weak", GLOBAL | FUNC }, { "global", GLOBAL | FUNC } },
		{ { "_a", FUNC }, { "_b", FUNC } },
		{ { "__a", FUNC }, { "__b", FUNC } },
		{ { "__a", FUNC }, { "___b", FUNC } },
		{ { "same", STATIC }, { "same2", STATIC } },
		{ { "", FUNC }, { "b", FUNC } },
	};
	static const int forward[] = { 0, 1 }, backward[] = { 1, 0 };

	(void)state;
	for (size_t i = 0; i < COUNT(pairs); i++) {
		expect_winner(pairs[i], forward, 2, pairs[i][0].name);
		expect_winner(pairs[i], backward, 2, pairs[i][1].name);
	}
}

/* The table made literally: a stable insertion sort, then one pass with the rules as written. */
static uint32_t slow_table(struct sym *syms, size_t n)
{
	uint32_t kept = 0;

	for (size_t i = 1; i < n; i++) {
		struct sym sym = syms[i];
		size_t k = i;

		for (; k > 0; k--) {
			const struct sym *x = &syms[k - 1];
			int x_func = x->flags & FUNC, func = sym.flags & FUNC;
			int x_static = x->flags & STATIC, is_static = sym.flags & STATIC;

			if (x->lo < sym.lo || (x->lo == sym.lo && x_func > func) ||
			    (x->lo == sym.lo && x_func == func && x_static <= is_static))
				break;
			syms[k] = *x;
		}
		syms[k] = sym;
	}
	for (size_t i = 0; i < n; i++) {
		const struct sym *new = &syms[i], *old = &syms[kept > 0 ? kept - 1 : 0];
		bool equally_static, equally_func, better_name;

		if (kept == 0 || old->lo != new->lo) {
			syms[kept++] = *new;
			continue;
		}
		equally_static = (new->flags &STATIC) == (old->flags & STATIC);
		equally_func = (new->flags &FUNC) == (old->flags & FUNC);
		better_name = (new->name[0] != '_' && old->name[0] == '_') ||
			      (new->name[0] == '_' && old->name[0] == '_' && new->name[1] != '_' &&
			       old->name[1] == '_');
		if ((!equally_static && old->flags & STATIC) ||
		    (equally_static &&
		     ((new->flags &FUNC && !(old->flags & FUNC)) || (equally_func && better_name))))
			syms[kept - 1] = *new;
	}
	return kept;
}

static void random_tables_equal_slow_ones(void **state)
{
	static const char *const names[] = { "a", "b", "_a", "_b", "__a", "__b", "___a", "_", "" };
	uint64_t seed = 3;

	(void)state;
	for (int round = 0; round < 2000; round++) {
		struct arena mem = test_arena();
		struct sym syms[MAX_CANDIDATES], copy[MAX_CANDIDATES];
		uint32_t n = random_below(&seed, MAX_CANDIDATES + 1);
		uint64_t end = 0x1000 + random_below(&seed, 100);
		uint32_t range = 1 + random_below(&seed, 100), nslow;
		struct symtab table;

		for (uint32_t i = 0; i < n; i++)
			syms[i] = candidate(0x1000 + random_below(&seed, range),
					    names[random_below(&seed, COUNT(names))],
					    random_below(&seed, 4));
		memcpy(copy, syms, sizeof(syms));
		table = symtab_build(syms, n, end, &mem);
		nslow = slow_table(copy, n);
		assert_int_equal(table.nsyms, nslow);
		for (uint32_t i = 0; i < nslow; i++) {
			uint64_t hi = i + 1 < nslow ? copy[i + 1].lo : end;

			assert_int_equal(table.sym[i].lo, copy[i].lo);
			assert_ptr_equal(table.sym[i].name, copy[i].name);
			assert_int_equal(table.sym[i].flags, copy[i].flags);
			assert_int_equal(table.sym[i].hi, hi < copy[i].lo ? copy[i].lo : hi);
		}
		arena_free(&mem);
	}
}

static void each_symbol_extends_to_the_next(void **state)
{
	const struct sym syms[] = { candidate(0x30, "c", FUNC), candidate(0x10, "a", FUNC),
				    candidate(0x20, "b", STATIC) };
	struct arena mem = test_arena();
	struct symtab table = symtab_build(syms, 3, 0x38, &mem);

	(void)state;
	assert_int_equal(table.nsyms, 3);
	assert_string_equal(table.sym[0].name, "a");
	assert_int_equal(table.sym[0].hi, 0x20);
	assert_int_equal(table.sym[1].hi, 0x30);
	assert_int_equal(table.sym[1].flags, STATIC);
	assert_int_equal(table.sym[2].hi, 0x38);

	assert_int_equal(symtab_find(&table, 0), SYM_NONE);
	assert_int_equal(symtab_find(&table, 0xf), SYM_NONE);
	assert_int_equal(symtab_find(&table, 0x10), 0);
	assert_int_equal(symtab_find(&table, 0x1f), 0);
	assert_int_equal(symtab_find(&table, 0x20), 1);
	assert_int_equal(symtab_find(&table, 0x2f), 1);
	assert_int_equal(symtab_find(&table, 0x30), 2);
	assert_int_equal(symtab_find(&table, 0x37), 2);
	assert_int_equal(symtab_find(&table, 0x38), SYM_NONE);
	assert_int_equal(symtab_find(&table, UINT64_MAX), SYM_NONE);

	assert_int_equal(symtab_from(&table, 0), 0);
	assert_int_equal(symtab_from(&table, 0x1f), 0);
	assert_int_equal(symtab_from(&table, 0x20), 1);
	assert_int_equal(symtab_from(&table, 0x37), 2);
	assert_int_equal(symtab_from(&table, 0x38), 3);
	arena_free(&mem);
}

static void last_symbol_behind_the_end_is_empty(void **state)
{
	const struct sym syms[] = { candidate(0x10, "a", FUNC), candidate(0x50, "data", 0) };
	static const uint64_t ends[] = { 0, 0x20, 0x50 };

	(void)state;
	for (size_t i = 0; i < COUNT(ends); i++) {
		struct arena mem = test_arena();
		struct symtab table = symtab_build(syms, 2, ends[i], &mem);

		assert_int_equal(table.nsyms, 2);
		assert_int_equal(table.sym[0].hi, 0x50);
		assert_int_equal(table.sym[1].hi, 0x50);
		assert_int_equal(symtab_find(&table, 0x4f), 0);
		assert_int_equal(symtab_find(&table, 0x50), SYM_NONE);
		assert_int_equal(symtab_find(&table, 0x51), SYM_NONE);
		assert_int_equal(symtab_from(&table, 0x50), 2);
		arena_free(&mem);
	}
}

static void no_symbols(void **state)
{
	struct arena mem = test_arena();
	struct symtab table = symtab_build(NULL, 0, 0x100, &mem);

	(void)state;
	assert_int_equal(table.nsyms, 0);
	assert_int_equal(symtab_find(&table, 0), SYM_NONE);
	assert_int_equal(symtab_find(&table, 0x50), SYM_NONE);
	assert_int_equal(symtab_from(&table, 0x50), 0);
	arena_free(&mem);
}

static void addresses_at_both_ends_of_the_space(void **state)
{
	const struct sym syms[] = { candidate(0, "zero", FUNC),
				    candidate(0xffffffff80000000, "high", FUNC),
				    candidate(UINT64_MAX, "last", FUNC) };
	struct arena mem = test_arena();
	struct symtab table = symtab_build(syms, 3, UINT64_MAX, &mem);

	(void)state;
	assert_int_equal(symtab_find(&table, 0), 0);
	assert_int_equal(symtab_find(&table, 0xffffffff7fffffff), 0);
	assert_int_equal(symtab_find(&table, 0xffffffff80000000), 1);
	assert_int_equal(symtab_find(&table, UINT64_MAX - 1), 1);
	assert_int_equal(symtab_find(&table, UINT64_MAX), SYM_NONE);
	arena_free(&mem);
}

static void finding_equals_looking_at_all(void **state)
{
	uint64_t seed = 5;

	(void)state;
	for (int round = 0; round < 300; round++) {
		struct arena mem = test_arena();
		struct sym syms[MAX_CANDIDATES];
		uint32_t n = random_below(&seed, MAX_CANDIDATES + 1);
		struct symtab table;

		for (uint32_t i = 0; i < n; i++)
			syms[i] = candidate(10 + random_below(&seed, 200), "s", FUNC);
		table = symtab_build(syms, n, 10 + random_below(&seed, 210), &mem);
		for (uint64_t pc = 0; pc < 230; pc++) {
			sym_id found = SYM_NONE, from = table.nsyms;

			for (sym_id s = table.nsyms; s-- > 0;) {
				if (table.sym[s].lo <= pc && pc < table.sym[s].hi)
					found = s;
				if (table.sym[s].hi > pc)
					from = s;
			}
			assert_int_equal(symtab_find(&table, pc), found);
			assert_int_equal(symtab_from(&table, pc), from);
		}
		arena_free(&mem);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(best_name_wins),
		cmocka_unit_test(first_of_equals_wins),
		cmocka_unit_test(random_tables_equal_slow_ones),
		cmocka_unit_test(each_symbol_extends_to_the_next),
		cmocka_unit_test(last_symbol_behind_the_end_is_empty),
		cmocka_unit_test(no_symbols),
		cmocka_unit_test(addresses_at_both_ends_of_the_space),
		cmocka_unit_test(finding_equals_looking_at_all),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
