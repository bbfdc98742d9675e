/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Selections: what requests and the profiler's own names come to, as sets; what is warned of. */
#include "testing.h"

#include "analysis/functions/select.h"

static void profiler_is_left_out(void **state)
{
	static const struct {
		const char *name;
		bool in;
	} cases[] = {
		{ "main", true },        { "mcount", false },        { "_mcount", false },
		{ "__mcount", false },   { "_gprof_mcount", false }, { "__mcount_internal", false },
		{ "__mcleanup", false }, { "___mcount", true },      { "mcount2", true },
		{ "mcoun", true },       { "Mcount", true },         { "", true },
		{ "_mcleanup", true },   { "__gmon_start__", true },
	};
	struct arena mem = test_arena();
	struct messages log = { 0 };
	struct diag diag = test_diag(&log);
	struct sym syms[COUNT(cases)] = { 0 };
	struct symtab symtab = { syms, COUNT(cases) };
	struct select_options opt = { 0 };
	struct selection sel;

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++)
		syms[i].name = cases[i].name;
	assert_false(select_needs_locations(&opt, false, &mem));
	sel = select_symbols(&symtab, NULL, NULL, &opt, &mem, &diag);
	for (size_t i = 0; i < COUNT(cases); i++) {
		assert_int_equal(bitset_has(sel.flat, i), cases[i].in);
		assert_true(bitset_has(sel.exec, i));
		assert_int_equal(bitset_has(sel.graph_on, i), cases[i].in);
		assert_int_equal(bitset_has(sel.time_on, i), cases[i].in);
		assert_int_equal(bitset_has(sel.graph_off, i), !cases[i].in);
		assert_int_equal(bitset_has(sel.time_off, i), !cases[i].in);
	}
	assert_int_equal(sel.narcs_in + sel.narcs_out, 0);
	assert_int_equal(log.n, 0);
	arena_free(&mem);
}

static void no_symbols(void **state)
{
	struct arena mem = test_arena();
	struct messages log = { 0 };
	struct diag diag = test_diag(&log);
	struct symtab none = { 0 };
	struct select_options opt = { 0 };

	(void)state;
	assert_non_null(select_symbols(&none, NULL, NULL, &opt, &mem, &diag).flat.bits);
	array_push(&mem, &opt.requests) =
		(struct select_request){ "main", SELECT_FLAT, false, NULL };
	assert_non_null(select_symbols(&none, NULL, NULL, &opt, &mem, &diag).flat.bits);
	expect_message(&log, "selection 'main' matches nothing");
	arena_free(&mem);
}

/* Symbols a-d in x.c, e in y.c, f of unknown place, m is the profiler's. */
static const struct sym syms[] = { { .name = "alpha" }, { .name = "beta" }, { .name = "gamma" },
				   { .name = "delta" }, { .name = "beta" }, { .name = "phi" },
				   { .name = "mcount" } };
static const struct location places[] = { { "d/x.c", 10 }, { "d/x.c", 20 }, { "x.c", 30 },
					  { "x.c", 40 },   { "y.c", 10 },   { NULL, 0 },
					  { "m.c", 1 } };
static const struct symtab symtab = { syms, COUNT(syms) };

struct selecting {
	struct arena mem;
	struct messages log;
	struct selection sel;
	char text[300];
};

static const enum select_table tables[] = {
	['p'] = SELECT_FLAT, ['q'] = SELECT_GRAPH, ['k'] = SELECT_ARCS,
	['n'] = SELECT_TIME, ['C'] = SELECT_EXEC,
};

/*
 * Selects by words such as "+palpha" and "-kalpha/beta": a sign, a letter of a table, the
 * specification.
 */
static void begin(struct selecting *s, const char *words)
{
	struct diag diag = test_diag(&s->log);
	struct select_options opt = { 0 };

	s->mem = test_arena();
	s->log = (struct messages){ 0 };
	snprintf(s->text, sizeof(s->text), "%s", words);
	for (char *word = strtok(s->text, " "); word; word = strtok(NULL, " "))
		array_push(&s->mem, &opt.requests) =
			(struct select_request){ word + 2, tables[(unsigned char)word[1]],
						 word[0] == '-', NULL };
	s->sel = select_symbols(&symtab, NULL, places, &opt, &s->mem, &diag);
	assert_int_equal(diag.nwarnings, s->log.n);
}

static const char *members(struct bitset set)
{
	static char text[2][COUNT(syms) + 1];
	static int turn;
	char *to = text[turn ^= 1], *start = to;

	for (sym_id s = 0; s < COUNT(syms); s++) {
		if (bitset_has(set, s))
			*to++ = "abcdefm"[s];
	}
	*to = '\0';
	return start;
}

/* The one set that a request of the table for reports letter `table` makes. */
static void expect_set(const char *words, char table, const char *expected)
{
	struct selecting s;
	struct bitset set;

	begin(&s, words);
	set = table == 'p'   ? s.sel.flat
	      : table == 'C' ? s.sel.exec
	      : table == 'q' ? s.sel.graph_on
			     : s.sel.time_on;
	if (strcmp(members(set), expected) != 0)
		fail_msg("'%s' selects %s, not %s", words, members(set), expected);
	if (s.log.n != 0)
		fail_msg("'%s' warns: %s", words, s.log.line[0]);
	arena_free(&s.mem);
}

static void included_or_not_excluded(void **state)
{
	(void)state;
	expect_set("", 'p', "abcdef");
	expect_set("+palpha", 'p', "a");
	expect_set("+palpha +pgamma", 'p', "ac");
	expect_set("+pbeta", 'p', "be");
	expect_set("+py.c:beta", 'p', "e");
	expect_set("+px.c", 'p', "abcd");
	expect_set("+p10", 'p', "ae");
	expect_set("+pmcount", 'p', "m");
	expect_set("+p", 'p', "abcdefm");
	expect_set("-palpha", 'p', "bcdef");
	expect_set("-palpha -px.c:30", 'p', "bdef");
	expect_set("-p", 'p', "");
	/* Where something is included, nothing is excluded. */
	expect_set("+palpha -palpha", 'p', "a");
	expect_set("-px.c +palpha", 'p', "a");
	/* A slash where only symbols count: the left side. */
	expect_set("+palpha/gamma", 'p', "a");
	expect_set("-palpha/gamma", 'p', "bcdef");
	/* The profiler's names are not hidden among executions. */
	expect_set("", 'C', "abcdefm");
	expect_set("-Calpha", 'C', "bcdefm");
	expect_set("+Calpha", 'C', "a");
}

/* As sets, whatever the order and however ranges of code overlap. */
static void order_does_not_matter(void **state)
{
	static const char *const pairs[][3] = {
		{ "+px.c", "+pbeta", "abcde" },  { "-px.c", "-pbeta", "f" },
		{ "+px.c", "+pdelta", "abcd" },  { "-px.c", "-pdelta", "ef" },
		{ "+p/", "+pdelta", "abcdefm" }, { "+palpha", "-pbeta", "a" },
		{ "+py.c", "-px.c", "e" },
	};
	char words[100];

	(void)state;
	for (size_t i = 0; i < COUNT(pairs); i++) {
		for (int first = 0; first < 2; first++) {
			snprintf(words, sizeof(words), "%s %s", pairs[i][first], pairs[i][!first]);
			expect_set(words, 'p', pairs[i][2]);
		}
	}
}

static void tables_are_apart(void **state)
{
	static const char letters[] = "pqnC";

	(void)state;
	for (int i = 0; i < 4; i++) {
		for (int k = 0; k < 4; k++) {
			const char *untouched = letters[k] == 'C' ? "abcdefm" : "abcdef";
			char words[20];

			snprintf(words, sizeof(words), "+%cphi", letters[i]);
			expect_set(words, letters[k], i == k ? "f" : untouched);
		}
	}
	expect_set("-kalpha/beta", 'q', "abcdef");
	expect_set("+kalpha/beta", 'q', "abcdef");
}

/* Of the call graph: what is let in, what is put out. */
static void expect_pair(const char *words, const char *on, const char *off)
{
	static const char letters[] = "qn";

	for (int i = 0; i < 2; i++) {
		struct selecting s;
		char copy[100];

		snprintf(copy, sizeof(copy), "%s", words);
		for (char *c = copy; *c; c++)
			*c = *c == '@' ? letters[i] : *c;
		begin(&s, copy);
		assert_string_equal(members(i ? s.sel.time_on : s.sel.graph_on), on);
		assert_string_equal(members(i ? s.sel.time_off : s.sel.graph_off), off);
		arena_free(&s.mem);
	}
}

static void in_and_out_of_the_graph(void **state)
{
	(void)state;
	expect_pair("", "abcdef", "m");
	expect_pair("-@alpha", "bcdef", "am");
	expect_pair("+@alpha", "a", "m");
	expect_pair("+@alpha -@beta", "a", "bem");
	/* What is included is not put out. */
	expect_pair("+@alpha -@alpha", "a", "m");
	expect_pair("+@x.c -@beta", "abcd", "em");
	expect_pair("+@mcount", "m", "");
	expect_pair("-@nosuch", "abcdef", "m");
	expect_pair("+@nosuch", "abcdef", "m");
	expect_pair("+@nosuch -@alpha", "bcdef", "am");
}

/* The calls among a, b, c, d, e that count, as a text such as "ab ac". */
static const char *arcs(const struct selection *sel, char *text)
{
	char *to = text;

	for (sym_id from = 0; from < 5; from++) {
		for (sym_id callee = 0; callee < 5; callee++) {
			if (selection_has_arc(sel, from, callee)) {
				*to++ = "abcde"[from];
				*to++ = "abcde"[callee];
				*to++ = ' ';
			}
		}
	}
	*to = '\0';
	return text;
}

static void expect_arcs_in(const char *words, const char *expected)
{
	struct selecting s;
	char text[80];

	begin(&s, words);
	if (strcmp(arcs(&s.sel, text), expected) != 0)
		fail_msg("'%s' counts %s, not %s", words, text, expected);
	arena_free(&s.mem);
}

/* All calls but those expected to be left out. */
static void expect_arcs_out(const char *words, const char *expected)
{
	struct selecting s;
	char all[80], rest[80] = "", text[80];
	struct selection none = { 0 };
	size_t n = 0;

	arcs(&none, all);
	assert_int_equal(strlen(all), 75);
	for (const char *arc = all; *arc; arc += 3) {
		char one[4] = { arc[0], arc[1], ' ', '\0' };

		if (!strstr(expected, one))
			n += (size_t)snprintf(rest + n, sizeof(rest) - n, "%s", one);
	}
	begin(&s, words);
	if (strcmp(arcs(&s.sel, text), rest) != 0)
		fail_msg("'%s' counts %s", words, text);
	arena_free(&s.mem);
}

static void calls(void **state)
{
	(void)state;
	expect_arcs_out("", "");
	expect_arcs_out("-kalpha/gamma", "ac ");
	expect_arcs_out("-kgamma/alpha", "ca ");
	/* Of one caller several callees. */
	expect_arcs_out("-kalpha/gamma -kalpha/delta", "ac ad ");
	expect_arcs_out("-kalpha/beta", "ab ae ");
	expect_arcs_out("-kalpha/", "aa ab ac ad ae ");
	expect_arcs_out("-k/alpha", "aa ba ca da ea ");
	expect_arcs_out("-kbeta/beta", "bb be eb ee ");
	expect_arcs_out("-ky.c/x.c:30", "ec ");
	/* Without a slash or a match it has no effect. */
	expect_arcs_out("-kalpha", "");
	expect_arcs_out("-kalpha/nosuch", "");
	expect_arcs_out("-knosuch/alpha", "");
	expect_arcs_in("-k/", "");
	expect_arcs_in("+kalpha/gamma", "ac ");
	/* As in GNU gprof: a callee that is none leaves no call. */
	expect_arcs_in("+kalpha/nosuch", "");
	expect_arcs_in("+kalpha/gamma +kgamma/", "ac ca cb cc cd ce ");
	expect_arcs_in("+kalpha/gamma -kalpha/gamma", "ac ");
	expect_arcs_in("+kalpha/gamma -k/", "ac ");
	expect_arcs_out("+knosuch/gamma", "");
	expect_arcs_out("+knosuch/gamma -kalpha/gamma", "ac ");
}

static void expect_warning(const char *words, const char *warning)
{
	struct selecting s;
	char whole[200];

	begin(&s, words);
	snprintf(whole, sizeof(whole), "test: warning: %s", warning);
	expect_message(&s.log, "");
	assert_string_equal(s.log.line[0], whole);
	arena_free(&s.mem);
}

static void what_matches_nothing_is_told(void **state)
{
	(void)state;
	expect_warning("+pnosuch", "selection 'nosuch' matches nothing");
	expect_warning("-pnosuch", "selection 'nosuch' matches nothing");
	expect_warning("+qdelt", "selection 'delt' matches nothing; did you mean 'delta'?");
	expect_warning("-ndelta_", "selection 'delta_' matches nothing; did you mean 'delta'?");
	expect_warning("+Cmcoumt", "selection 'mcoumt' matches nothing; did you mean 'mcount'?");
	expect_warning("+pnosuch.c", "selection 'nosuch.c' matches nothing");
	expect_warning("+p99", "selection '99' matches nothing");
	expect_warning("+palpha -pzzz", "selection 'zzz' matches nothing");
	/* Of a call the side that fails. */
	expect_warning("-kalpha/delt",
		       "selection 'alpha/delt' matches nothing; did you mean 'delta'?");
	expect_warning("-kalph/delta",
		       "selection 'alph/delta' matches nothing; did you mean 'alpha'?");
	expect_warning("-knosuch/zzz", "selection 'nosuch/zzz' matches nothing");
	expect_warning("-kalpha",
		       "selection 'alpha' is not a pair of functions: calls are given as FROM/TO");
}

/* All that match nothing are told, however many; hints cost time. */
static void many_warnings(void **state)
{
	struct arena mem = test_arena();
	struct messages log = { 0 };
	struct diag diag = test_diag(&log);
	struct select_options opt = { 0 };

	(void)state;
	for (int i = 0; i < 50; i++)
		array_push(&mem, &opt.requests) =
			(struct select_request){ arena_strndup(&mem, "delt", 4), SELECT_FLAT, false,
						 NULL };
	/* The last option fills a second table: no warning more. */
	array_push(&mem, &opt.requests) =
		(struct select_request){ opt.requests.at[49].text, SELECT_GRAPH, false, NULL };
	select_symbols(&symtab, NULL, NULL, &opt, &mem, &diag);
	assert_int_equal(log.n, 50);
	assert_int_equal(diag.nwarnings, 50);
	for (size_t i = 0; i < COUNT(log.line); i++)
		assert_non_null(strstr(log.line[i], "selection 'delt' matches nothing"));
	arena_free(&mem);
}

static void locations_when_asked_for(void **state)
{
	static const struct {
		const char *text;
		bool needed;
	} cases[] = {
		{ "alpha", false }, { "alpha/beta", false }, { ":f.0", false },  { "", false },
		{ "x.c", true },    { "10", true },          { "a/x.c:", true }, { "a/10", true },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct arena mem = test_arena();
		struct select_options opt = { 0 };

		array_push(&mem, &opt.requests) =
			(struct select_request){ "main", SELECT_FLAT, false, NULL };
		array_push(&mem, &opt.requests) =
			(struct select_request){ cases[i].text, SELECT_ARCS, true, NULL };
		assert_int_equal(select_needs_locations(&opt, false, &mem), cases[i].needed);
		arena_free(&mem);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(profiler_is_left_out),
		cmocka_unit_test(no_symbols),
		cmocka_unit_test(included_or_not_excluded),
		cmocka_unit_test(order_does_not_matter),
		cmocka_unit_test(tables_are_apart),
		cmocka_unit_test(in_and_out_of_the_graph),
		cmocka_unit_test(calls),
		cmocka_unit_test(what_matches_nothing_is_told),
		cmocka_unit_test(many_warnings),
		cmocka_unit_test(locations_when_asked_for),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
