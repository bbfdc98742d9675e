/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Symbol specifications: how they are read, what they match, which name was meant. */
#include "testing.h"

#include "analysis/functions/spec.h"

#include <limits.h>

static void expect_half(const char *text, const struct spec_half *half, const char *file,
			unsigned line, const char *function)
{
	char got[300], expected[300];

	snprintf(got, sizeof(got), "%s|%u|%s", half->file ? half->file : "-", half->line,
		 half->function ? half->function : "-");
	snprintf(expected, sizeof(expected), "%s|%u|%s", file ? file : "-", line,
		 function ? function : "-");
	if (strcmp(got, expected) != 0)
		fail_msg("'%s' is read as %s, not %s", text, got, expected);
}

static const struct {
	const char *text, *file;
	unsigned line;
	const char *function;
} halves[] = {
	{ "", NULL, 0, NULL },
	{ "main", NULL, 0, "main" },
	{ "x.c", "x.c", 0, NULL },
	{ "17", NULL, 17, NULL },
	{ "x.c:main", "x.c", 0, "main" },
	{ "x.c:17", "x.c", 17, NULL },
	{ "x.c:", "x.c", 0, NULL },
	{ ":", NULL, 0, NULL },
	{ ":17", NULL, 17, NULL },
	{ ":main", NULL, 0, "main" },
	/* A dot makes a file, a digit first a line, a colon ends both guesses. */
	{ "f.0", "f.0", 0, NULL },
	{ ":f.0", NULL, 0, "f.0" },
	{ ".", ".", 0, NULL },
	{ "1.c", "1.c", 0, NULL },
	{ "Makefile:main", "Makefile", 0, "main" },
	{ "17:main", "17", 0, "main" },
	{ "x.c:f.0", "x.c", 0, "f.0" },
	{ "17x", NULL, 17, NULL },
	{ "x17", NULL, 0, "x17" },
	{ "_17", NULL, 0, "_17" },
	{ "-17", NULL, 0, "-17" },
	{ " 17", NULL, 0, " 17" },
	{ "x.c:017", "x.c", 17, NULL },
	/* The last colon divides, as unlucky as that is for names of C++. */
	{ "a::b", "a:", 0, "b" },
	{ "a::b::c", "a::b:", 0, "c" },
	{ "::", ":", 0, NULL },
	{ "x.c:a::b(int)", "x.c:a:", 0, "b(int)" },
	{ "x.c:main:17", "x.c:main", 17, NULL },
	{ "4294967295", NULL, UINT_MAX, NULL },
	{ "4294967296", NULL, UINT_MAX, NULL },
	{ "99999999999999999999999", NULL, UINT_MAX, NULL },
	{ "\303\244\\ b", NULL, 0, "\303\244\\ b" },
	/* Brackets make a function, if nothing stands behind them. */
	{ "[libm.so.6]", NULL, 0, "[libm.so.6]" },
	{ "[x].c", "[x].c", 0, NULL },
	{ "[x.c", "[x.c", 0, NULL },
};

static void halves_alone(void **state)
{
	struct arena mem = test_arena();

	(void)state;
	for (size_t i = 0; i < COUNT(halves); i++) {
		struct spec spec = spec_parse(halves[i].text, false, &mem);

		expect_half(halves[i].text, &spec.from, halves[i].file, halves[i].line,
			    halves[i].function);
		expect_half(halves[i].text, &spec.to, NULL, 0, NULL);
		assert_false(spec.is_arc);
		assert_int_equal(spec_needs_locations(&spec), halves[i].file || halves[i].line);
	}
	arena_free(&mem);
}

/* Any two halves with a slash between them. */
static void halves_of_arcs(void **state)
{
	struct arena mem = test_arena();

	(void)state;
	for (size_t i = 0; i < COUNT(halves) * COUNT(halves); i++) {
		size_t a = i / COUNT(halves), b = i % COUNT(halves);
		struct spec spec;
		char text[100];

		snprintf(text, sizeof(text), "%s/%s", halves[a].text, halves[b].text);
		spec = spec_parse(text, false, &mem);
		expect_half(text, &spec.from, halves[a].file, halves[a].line, halves[a].function);
		expect_half(text, &spec.to, halves[b].file, halves[b].line, halves[b].function);
		assert_true(spec.is_arc);
		assert_int_equal(spec_needs_locations(&spec), halves[a].file || halves[a].line ||
								      halves[b].file ||
								      halves[b].line);
	}
	arena_free(&mem);
}

static void the_first_slash_divides(void **state)
{
	struct arena mem = test_arena();
	struct spec spec = spec_parse("a/b/c", false, &mem);

	(void)state;
	expect_half("a/b/c", &spec.from, NULL, 0, "a");
	expect_half("a/b/c", &spec.to, NULL, 0, "b/c");
	spec = spec_parse("[/lib/libm.so.6]/[/lib/libc.so.6]", false, &mem);
	assert_true(spec.is_arc);
	assert_string_equal(spec.from.function, "[/lib/libm.so.6]");
	assert_string_equal(spec.to.function, "[/lib/libc.so.6]");
	spec = spec_parse("/usr/x.c:main", false, &mem);
	expect_half("/usr/x.c:main", &spec.from, NULL, 0, NULL);
	expect_half("/usr/x.c:main", &spec.to, "usr/x.c", 0, "main");
	arena_free(&mem);
}

static const struct sym syms[] = { { .name = "alpha" },     { .name = "beta" },
				   { .name = "leaf" },      { .name = "leaf" },
				   { .name = "_Z5gammav" }, { .name = "Alpha" },
				   { .name = "alpha2" },    { .name = "" } };
static const struct symtab symtab = { syms, COUNT(syms) };
static const struct location places[COUNT(syms)] = {
	{ "dir/x.c", 10 }, { "dir/x.c", 20 }, { "/abs/x.c", 30 }, { "y.c", 30 },
	{ "dir/z", 10 },   { NULL, 0 },       { "dir/x.cc", 20 }, { "dir/x.c/", 5 },
};

/* The symbols, by place in the table, that a half matches. */
static void expect_match_at(const char *text, const struct location *locations,
			    const char *expected)
{
	struct arena mem = test_arena();
	struct spec_search search = { spec_parse(text, false, &mem).from,
				      bitset_empty(&mem, symtab.nsyms), false };
	char got[COUNT(syms) + 1] = "", *to = got;

	spec_match(&search, 1, &symtab, NULL, locations, &mem);
	for (sym_id s = 0; s < symtab.nsyms; s++) {
		if (bitset_has(search.into, s))
			*to++ = (char)('0' + (int)s);
	}
	if (strcmp(got, expected) != 0)
		fail_msg("'%s' matches %s, not %s", text, got, expected);
	assert_int_equal(search.matched, *expected != '\0');
	arena_free(&mem);
}

static void names_match_whole(void **state)
{
	(void)state;
	for (int without = 0; without < 2; without++) {
		const struct location *locations = without ? NULL : places;

		expect_match_at("alpha", locations, "0");
		expect_match_at("Alpha", locations, "5");
		expect_match_at("alph", locations, "");
		expect_match_at("leaf", locations, "23");
		expect_match_at("_Z5gammav", locations, "4");
		expect_match_at("gamma", locations, "");
		expect_match_at("gamma()", locations, "");
		expect_match_at("", locations, "01234567");
		expect_match_at(":", locations, "01234567");
	}
}

static void files_match_by_their_last_part(void **state)
{
	(void)state;
	expect_match_at("x.c", places, "012");
	expect_match_at("y.c", places, "3");
	expect_match_at("X.c", places, "");
	expect_match_at(".c", places, "");
	expect_match_at("z:", places, "4");
	expect_match_at("nosuch.c", places, "");
	expect_match_at("x.c:leaf", places, "2");
	expect_match_at("y.c:leaf", places, "3");
	expect_match_at("z:leaf", places, "");
	expect_match_at("dir:", places, "");
}

static void lines_match_where_the_symbol_stands(void **state)
{
	(void)state;
	expect_match_at("10", places, "04");
	expect_match_at("30", places, "23");
	expect_match_at("x.c:30", places, "2");
	expect_match_at("x.c:10", places, "0");
	expect_match_at("x.c:11", places, "");
	expect_match_at("4294967295", places, "");
	/* Where nothing is known of places, none matches. */
	expect_match_at("x.c", NULL, "");
	expect_match_at("10", NULL, "");
	expect_match_at("x.c:alpha", NULL, "");
}

static bool slow_equal(const char *a, const char *b)
{
	return !a || (b && strcmp(a, b) == 0);
}

static bool slow_matches(const struct spec_half *half, sym_id s)
{
	const char *file = places[s].file, *base = file;

	for (const char *c = file; c && *c; c++)
		base = *c == '/' ? c + 1 : base;
	return slow_equal(half->function, syms[s].name) && slow_equal(half->file, base) &&
	       (!half->line || (file && half->line == places[s].line));
}

/* Many searches at once, some of them into the same set. */
static void random_searches_equal_slow_ones(void **state)
{
	static const char *const files[] = { NULL, "x.c", "x.c", "y.c", "z", "", "nosuch" };
	static const char *const names[] = { NULL,    "alpha", "leaf", "leaf", "beta",
					     "Alpha", "",      "a",    "zzz" };
	static const unsigned lines[] = { 0, 0, 0, 10, 20, 30, 40 };
	uint64_t seed = 41;

	(void)state;
	for (int round = 0; round < 500; round++) {
		struct arena mem = test_arena();
		struct spec_search search[12];
		struct bitset expected[4], sets[4];
		uint32_t n = random_below(&seed, COUNT(search) + 1);
		bool matched[12] = { false };

		for (int i = 0; i < 4; i++) {
			sets[i] = bitset_empty(&mem, symtab.nsyms);
			expected[i] = bitset_empty(&mem, symtab.nsyms);
		}
		for (uint32_t i = 0; i < n; i++) {
			uint32_t set = random_below(&seed, 4);
			struct spec_half half = {
				.file = files[random_below(&seed, COUNT(files))],
				.function = names[random_below(&seed, COUNT(names))],
				.line = lines[random_below(&seed, COUNT(lines))],
			};

			search[i] = (struct spec_search){ half, sets[set], false };
			for (sym_id s = 0; s < symtab.nsyms; s++) {
				if (!slow_matches(&half, s))
					continue;
				bitset_add(expected[set], s);
				matched[i] = true;
			}
		}
		spec_match(search, n, &symtab, NULL, places, &mem);
		for (uint32_t i = 0; i < n; i++)
			assert_int_equal(search[i].matched, matched[i]);
		for (int i = 0; i < 4; i++)
			assert_int_equal(sets[i].bits[0], expected[i].bits[0]);
		arena_free(&mem);
	}
}

/* Symbols times searches would take minutes. */
static void many_searches(void **state)
{
	enum { N = 200000, NAME = 12 };
	struct arena mem = test_arena();
	struct sym *many = arena_array(&mem, struct sym, N);
	struct spec_search *searches = arena_array(&mem, struct spec_search, N);
	struct bitset set = bitset_empty(&mem, N);
	char *names = arena_array(&mem, char, N *NAME);

	(void)state;
	for (uint32_t i = 0; i < N; i++) {
		snprintf(names + (size_t)i * NAME, NAME, "f%u", i);
		many[i].name = names + (size_t)i * NAME;
	}
	for (uint32_t i = 0; i < N; i++)
		searches[i] = (struct spec_search){
			{ .function = many[(uint64_t)i * 7919 % N].name }, set, false
		};
	spec_match(searches, N, &(struct symtab){ many, N }, NULL, NULL, &mem);
	for (uint32_t i = 0; i < N; i++)
		assert_true(searches[i].matched && bitset_has(set, i));
	arena_free(&mem);
}

/* The names that are found, with blanks between; "" is none. */
static void expect_nearest(const char *name, const char *nearest)
{
	static const struct sym known[] = { { .name = "alpha" },      { .name = "propagate" },
					    { .name = "propagated" }, { .name = "ab" },
					    { .name = "" },           { .name = "_start" },
					    { .name = "xyz" },        { .name = "draw_1" },
					    { .name = "draw_2" },     { .name = "draw_2" },
					    { .name = "draw_30" },    { .name = "draw_4" } };
	struct arena mem = test_arena();
	struct nearest near = spec_nearest(name, &(struct symtab){ known, COUNT(known) }, &mem);
	char got[100] = "";
	size_t used = 0;

	for (size_t i = 0; i < near.n; i++)
		used += (size_t)snprintf(got + used, sizeof(got) - used, "%s%s", i ? " " : "",
					 near.name[i]);
	if (strcmp(got, nearest) != 0)
		fail_msg("nearest to '%s' is '%s'", name, got);
	arena_free(&mem);
}

static void nearest_names(void **state)
{
	(void)state;
	expect_nearest("alpah", "alpha");
	expect_nearest("alpha", "");
	expect_nearest("alphaa", "alpha");
	expect_nearest("_alpha", "alpha");
	expect_nearest("_alphaa", "alpha");
	expect_nearest("_alphaaa", "");
	expect_nearest("Propagate", "propagate propagated");
	expect_nearest("propagatedd", "propagated propagate");
	expect_nearest("propagatd", "propagate propagated"); /* as near: the first first */
	expect_nearest("propagat", "propagate propagated");
	expect_nearest("propagates", "propagate propagated");
	expect_nearest("proppagatedd", "propagated");
	expect_nearest("opagate", "propagate");
	expect_nearest("pagate", "");
	expect_nearest("start", "_start");
	expect_nearest("stxrt", "_start");
	/* In short names too much would be changed. */
	expect_nearest("ac", "");
	expect_nearest("a", "");
	expect_nearest("", "");
	expect_nearest("something else", "");
	/* But not if characters are swapped. */
	expect_nearest("ba", "ab");
	expect_nearest("bb", "");
	expect_nearest("yxz", "xyz");
	expect_nearest("xzy", "xyz");
	expect_nearest("zyx", "");
	expect_nearest("zxy", "");
	expect_nearest("aplah", "alpha");
	/* The nearest first, three at most, each once. */
	expect_nearest("draw_3", "draw_1 draw_2 draw_30");
	expect_nearest("draw_33", "draw_30 draw_1 draw_2");
	expect_nearest("draw_02", "draw_2 draw_1 draw_30");
	expect_nearest("draw_4", "");
}

static uint32_t lesser(uint32_t x, uint32_t y)
{
	return x < y ? x : y;
}

/* The distance by its definition, in exponential time. */
static uint32_t slow_distance(const char *a, const char *b)
{
	uint32_t least;

	if (!*a || !*b)
		return (uint32_t)(strlen(a) + strlen(b));
	least = slow_distance(a + 1, b + 1) + (*a != *b);
	least = lesser(least, slow_distance(a + 1, b) + 1);
	least = lesser(least, slow_distance(a, b + 1) + 1);
	if (a[0] == b[1] && a[1] == b[0])
		least = lesser(least, slow_distance(a + 2, b + 2) + 1);
	return least;
}

/* Names of six characters out of three: some near, some not. */
static void nearest_is_nearest(void **state)
{
	uint64_t seed = 43;
	uint32_t nfound = 0;

	(void)state;
	for (int round = 0; round < 500; round++) {
		struct arena mem = test_arena();
		struct sym known[3] = { { 0 } };
		char text[4][9] = { "" };
		uint32_t least = UINT32_MAX;
		struct nearest got;
		size_t near = 0;

		for (int i = 0; i < 4; i++) {
			uint32_t len = i == 3 ? 6 : 4 + random_below(&seed, 5);

			for (uint32_t k = 0; k < len; k++)
				text[i][k] = (char)('a' + (int)random_below(&seed, 3));
		}
		for (int i = 0; i < 3; i++) {
			uint32_t d = slow_distance(text[i], text[3]);

			known[i].name = text[i];
			least = lesser(least, d);
			near += d <= 2;
		}
		got = spec_nearest(text[3], &(struct symtab){ known, 3 }, &mem);
		assert_int_equal(got.n, least == 0 ? 0 : near);
		for (size_t i = 0; i < got.n; i++) {
			assert_int_equal(got.edits[i], slow_distance(got.name[i], text[3]));
			assert_true(i == 0 || got.edits[i - 1] <= got.edits[i]);
		}
		nfound += got.n > 0;
		arena_free(&mem);
	}
	assert_in_range(nfound, 50, 450);
}

/* A program and two libraries, of which one has lost the suffix of a name; and code of neither. */
static void modules(void **state)
{
	enum { PROGRAM, MATH, BUFFER };
	static const struct sym table[] = {
		{ .name = "main" },
		{ .name = "sin" },
		{ .lo = ADDRESS_SPACE_STRIDE * 2, .name = "sin@libm.so.6" },
		{ .lo = ADDRESS_SPACE_STRIDE * 2 + 16, .name = "cos" },
		{ .lo = ADDRESS_SPACE_STRIDE * 2 + 32, .name = "[libm.so.6]" },
		{ .lo = ADDRESS_SPACE_STRIDE * 3, .name = "main@/opt/libb.so" },
		{ .lo = ADDRESS_SPACE_STRIDE * 4, .name = "[code]" },
	};
	static const struct {
		const char *text, *expected;
	} cases[] = {
		{ "sin", "12" },          { "sin@libm*", "2" },         { "sin@libm.so.6", "2" },
		{ "sin@/lib/*", "2" },    { "sin@prog", "1" },          { "cos", "3" },
		{ "cos@libm.so.6", "3" }, { "cos@libb*", "" },          { "main", "05" },
		{ "main@libb.so", "5" },  { "main@/opt/libb.so", "5" }, { "@libm*", "234" },
		{ "@*", "012345" },       { "[libm.so.6]", "4" },       { "[code]", "6" },
	};
	static struct module at[] = { [PROGRAM] = { .path = "/bin/prog", .flags = MODULE_PROGRAM },
				      [MATH] = { .path = "/lib/libm.so.6" },
				      [BUFFER] = { .path = "/opt/libb.so" } };
	static const char *const names[] = { NULL, "libm.so.6", "/opt/libb.so" };
	const struct recorded recorded = { .modules = { at, COUNT(at), COUNT(at) } };
	const struct address_space space = { .recorded = &recorded,
					     .name = names,
					     .base = ADDRESS_SPACE_STRIDE,
					     .own = PROGRAM,
					     .own_path = "bin/prog" };
	const struct symtab all = { table, COUNT(table) };

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct arena mem = test_arena();
		struct spec_search search = { spec_parse(cases[i].text, true, &mem).from,
					      bitset_empty(&mem, COUNT(table)), false };
		char got[COUNT(table) + 1] = "", *to = got;

		spec_match(&search, 1, &all, &space, NULL, &mem);
		for (sym_id s = 0; s < COUNT(table); s++) {
			if (bitset_has(search.into, s))
				*to++ = (char)('0' + (int)s);
		}
		if (strcmp(got, cases[i].expected) != 0)
			fail_msg("'%s' matches %s, not %s", cases[i].text, got, cases[i].expected);
		arena_free(&mem);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(halves_alone),
		cmocka_unit_test(halves_of_arcs),
		cmocka_unit_test(the_first_slash_divides),
		cmocka_unit_test(names_match_whole),
		cmocka_unit_test(files_match_by_their_last_part),
		cmocka_unit_test(lines_match_where_the_symbol_stands),
		cmocka_unit_test(random_searches_equal_slow_ones),
		cmocka_unit_test(many_searches),
		cmocka_unit_test(modules),
		cmocka_unit_test(nearest_names),
		cmocka_unit_test(nearest_is_nearest),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
