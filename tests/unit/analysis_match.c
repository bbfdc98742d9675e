/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two builds of a program, by the names of their functions, and which are the same. */
#include "testing.h"

#include "analysis/diff/match.h"

enum { MOST = 24 };

/* "name", or "name file" for a static one. */
struct build {
	const char *function[MOST];
};

/* Points into itself: not to be copied. */
struct made {
	struct sym sym[MOST];
	struct location location[MOST];
	struct symtab symtab;
	struct match_side side;
};

static void make(struct made *m, const struct build *b, struct arena *mem)
{
	uint32_t n = 0;

	*m = (struct made){ 0 };
	for (; n < MOST && b->function[n]; n++) {
		const char *blank = strchr(b->function[n], ' ');

		m->sym[n] = (struct sym){ .lo = 16 * n, .hi = 16 * n + 16, .flags = SYM_FUNC };
		m->sym[n].name = arena_strndup(mem, b->function[n], strcspn(b->function[n], " "));
		if (blank) {
			m->sym[n].flags |= SYM_STATIC;
			m->location[n] = (struct location){ blank + 1, 1 };
		}
	}
	m->symtab = (struct symtab){ m->sym, n };
	m->side = (struct match_side){ &m->symtab, bitset_empty(mem, n), m->location };
	for (uint32_t i = 0; i < n; i++)
		bitset_add(m->side.shown, i);
}

/* The rows as text: for each the rule, and the numbers of the functions of both sides. */
static void expect_rows(const struct build *base, const struct build *new,
			const match_renames *renames, const char *expected)
{
	static const char rules[RULES] = { [RULE_NONE] = '!',
					   [RULE_NAME] = '=',
					   [RULE_SUFFIX] = '.',
					   [RULE_NUMBER] = '#',
					   [RULE_RENAMED] = '>' };
	struct arena mem = test_arena();
	struct made made[SIDES];
	struct match_side sides[SIDES];
	struct difference_match match;
	struct messages log = { 0 };
	struct diag diag = test_diag(&log);
	char got[1000] = "";
	size_t n = 0;

	make(&made[SIDE_BASE], base, &mem);
	make(&made[SIDE_NEW], new, &mem);
	for (int k = 0; k < SIDES; k++)
		sides[k] = made[k].side;
	assert_int_equal(match_functions(&match, sides, renames, &mem, &diag), 0);
	for (uint32_t row = 0; row < match.nrows; row++) {
		n += (size_t)snprintf(got + n, sizeof(got) - n, "%s%c", row > 0 ? " " : "",
				      rules[match.rule[row]]);
		for (int k = 0; k < SIDES; k++) {
			if (k == SIDE_NEW)
				got[n++] = ':';
			for (uint32_t s = 0; s < made[k].symtab.nsyms; s++) {
				if (match.row[k][s] == row)
					n += (size_t)snprintf(got + n, sizeof(got) - n, "%c",
							      'a' + (int)s);
			}
		}
	}
	assert_string_equal(got, expected);
	arena_free(&mem);
}

static const match_renames none;

static void names(void **state)
{
	(void)state;
	expect_rows(&(struct build){ { "main", "f", "g" } },
		    &(struct build){ { "f", "main", "h" } }, &none, "=a:b =b:a !c: !:c");
}

static void without_names(void **state)
{
	(void)state;
	/* A copy of a stripped program has another name. */
	expect_rows(&(struct build){ { "main", "[app.old+0x10]", "[app.old+0x30]" } },
		    &(struct build){ { "[app+0x10]", "main", "[app+0x20]" } }, &none,
		    "=a:b =b:a !c: !:c");
}

static void parts_and_copies(void **state)
{
	(void)state;
	/* Another level of optimization: copies for constants, parts, cold parts. */
	expect_rows(
		&(struct build){ { "main", "parse", "scan", "fill", "put" } },
		&(struct build){ { "main", "parse.constprop.0 a.c", "scan", "scan.cold a.c",
				   "fill.part.0 a.c", "put.isra.0 a.c", "put.isra.0.cold a.c" } },
		&none, "=a:a =c:cd .b:b .d:e .e:fg");
	/* The part is on both sides: it is compared with itself. */
	expect_rows(&(struct build){ { "scan", "scan.cold a.c" } },
		    &(struct build){ { "scan", "scan.cold a.c" } }, &none, "=a:a =b:b");
	/* On one: its time was the function's. */
	expect_rows(&(struct build){ { "scan", "scan.part.0 a.c" } }, &(struct build){ { "scan" } },
		    &none, "=ab:a");
}

static void static_functions(void **state)
{
	(void)state;
	expect_rows(&(struct build){ { "help x/a.c", "help x/b.c" } },
		    &(struct build){ { "help y/b.c", "help y/a.c" } }, &none, "=a:b =b:a");
	/* b.c is c.c now. */
	expect_rows(&(struct build){ { "help a.c", "help b.c" } },
		    &(struct build){ { "help a.c", "help c.c" } }, &none, "=a:a =b:b");
	/* No longer static, but in the same file or not. */
	expect_rows(&(struct build){ { "help a.c" } }, &(struct build){ { "help" } }, &none,
		    "=a:a");
	expect_rows(&(struct build){ { "do.isra.0 a.c", "do.isra.0 b.c" } },
		    &(struct build){ { "do.constprop.0 b.c", "do.constprop.0 a.c" } }, &none,
		    ".a:b .b:a");
}

static void other_languages(void **state)
{
	(void)state;
	expect_rows(
		&(struct build){
			{ "_ZN4core3fmt5write17h0123456789abcdefE",
			  "_RNvCskwGfYPst2Cb_3foo16example_function",
			  "_ZN3app4main28_$u7b$$u7b$closure$u7d$$u7d$17h00000000000000aaE" } },
		&(struct build){
			{ "_ZN4core3fmt5write17hfedcba9876543210E",
			  "_RNvCs1234567_3foo16example_function",
			  "_ZN3app4main28_$u7b$$u7b$closure$u7d$$u7d$17h00000000000000bbE" } },
		&none, ".a:a .c:c .b:b");
	/* Lambdas of main: the second has become the third. */
	expect_rows(&(struct build){ { "_ZZ4mainENKUliE_clEi", "_ZZ4mainENKUldE0_clEd" } },
		    &(struct build){ { "_ZZ4mainENKUliE_clEi", "_ZZ4mainENKUldE1_clEd" } }, &none,
		    "=a:a #b:b");
	/* Constructors of a class and of a part of another are the same code. */
	expect_rows(&(struct build){ { "_ZN5TableC1Ev" } }, &(struct build){ { "_ZN5TableC2Ev" } },
		    &none, ".a:a");
}

static void renamed(void **state)
{
	struct arena mem = test_arena();
	match_renames renames = { 0 };

	(void)state;
	array_push(&mem, &renames) = (struct match_rename){ "Table::find", "look_up" };
	expect_rows(&(struct build){ { "_ZN5Table4findEi", "main" } },
		    &(struct build){ { "main", "look_up" } }, &renames, ">a:b =b:a");
	arena_free(&mem);
}

static void unknown_names_are_refused(void **state)
{
	struct arena mem = test_arena();
	match_renames renames = { 0 };
	struct messages log = { 0 };
	struct diag diag = test_diag(&log);
	struct made made[SIDES];
	struct match_side sides[SIDES];
	struct difference_match match;

	(void)state;
	for (int k = 0; k < SIDES; k++) {
		make(&made[k], &(struct build){ { "main" } }, &mem);
		sides[k] = made[k].side;
	}
	array_push(&mem, &renames) = (struct match_rename){ "main", "nosuch" };
	assert_int_equal(match_functions(&match, sides, &renames, &mem, &diag), -1);
	expect_message(&log, "the new program has no function 'nosuch'");
	arena_free(&mem);
}

static void only_ambiguous_ones_need_places(void **state)
{
	struct arena mem = test_arena();
	struct made made;
	struct bitset wanted;

	(void)state;
	make(&made,
	     &(struct build){
		     { "help a.c", "help b.c", "alone c.c", "main", "f", "f.isra.0 d.c" } },
	     &mem);
	wanted = bitset_empty(&mem, 6);
	match_wants(&made.symtab, wanted, &mem);
	for (uint32_t s = 0; s < 6; s++)
		assert_int_equal(bitset_has(wanted, s), s < 2 || s == 5);
	arena_free(&mem);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names),
		cmocka_unit_test(without_names),
		cmocka_unit_test(parts_and_copies),
		cmocka_unit_test(static_functions),
		cmocka_unit_test(other_languages),
		cmocka_unit_test(renamed),
		cmocka_unit_test(unknown_names_are_refused),
		cmocka_unit_test(only_ambiguous_ones_need_places),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
