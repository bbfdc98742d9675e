/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ticks and arcs to symbols: shares of bins, what is left out, whose an address is. */
#include "testing.h"

#include "analysis/functions/resolve.h"
#include "model/profile_sum.h"

#define MAX_SYMS 40
#define MAX_BINS 64

static const struct unit seconds = { .rate = 100, .dimension = "seconds", .abbrev = 's' };

static void add_hist(struct profile *prof, uint64_t lo, uint64_t hi, uint32_t nbins,
		     const uint64_t *ticks, struct arena *mem)
{
	struct hist like = { .lo = lo, .hi = hi, .nbins = nbins };
	enum hist_conflict why;
	struct profile_sum sum = { .prof = *prof, .mem = mem };
	struct hist *hist = profile_sum_hist(&sum, &like, &seconds, &why);

	assert_non_null(hist);
	*prof = profile_sum_end(&sum);
	for (uint32_t i = 0; i < nbins; i++)
		hist->ticks[i] += ticks[i];
}

/* A table of functions that start at lo[0..n), the last one up to end. */
static struct symtab make_symtab(const uint64_t *lo, size_t n, uint64_t end, struct arena *mem)
{
	struct sym syms[MAX_SYMS] = { 0 };

	for (size_t i = 0; i < n; i++)
		syms[i] = (struct sym){ .lo = lo[i], .name = "f", .flags = SYM_FUNC };
	return symtab_build(syms, n, end, mem);
}

/* All symbols are in the flat profile. */
static struct selection select_all(const struct symtab *symtab, struct arena *mem)
{
	struct selection sel = { .flat = bitset_empty(mem, symtab->nsyms) };

	for (sym_id s = 0; s < symtab->nsyms; s++)
		bitset_add(sel.flat, s);
	return sel;
}

static void whole_bins_go_to_their_symbol(void **state)
{
	static const uint64_t lo[] = { 0x1000, 0x1008, 0x100c }, ticks[] = { 1, 2, 4, 8 };
	struct arena mem = test_arena();
	struct symtab symtab = make_symtab(lo, 3, 0x1010, &mem);
	struct selection sel = select_all(&symtab, &mem);
	struct profile prof = { 0 };
	struct ticks got;

	(void)state;
	add_hist(&prof, 0x1000, 0x1010, 4, ticks, &mem);
	got = resolve_ticks(&prof, &symtab, &sel, &mem);
	assert_same_double(got.self[0], 3.0);
	assert_same_double(got.self[1], 4.0);
	assert_same_double(got.self[2], 8.0);
	assert_same_double(got.total, 15.0);
	arena_free(&mem);
}

/*
 * Three bins of 8/3 units cover the units 0-1, 2-4 and 5-7: the bounds are cut, but the width that
 * divides is not.
 */
static void bins_of_fractional_width(void **state)
{
	static const uint64_t lo[] = { 0x1000, 0x1006 }, ticks[] = { 7, 10, 1 };
	struct arena mem = test_arena();
	struct symtab symtab = make_symtab(lo, 2, 0x1010, &mem);
	struct selection sel = select_all(&symtab, &mem);
	struct profile prof = { 0 };
	struct ticks got;

	(void)state;
	add_hist(&prof, 0x1000, 0x1010, 3, ticks, &mem);
	got = resolve_ticks(&prof, &symtab, &sel, &mem);
	assert_same_double(got.self[0], 2.0 * 7 / (8.0 / 3) + 1.0 * 10 / (8.0 / 3));
	assert_same_double(got.self[1], 2.0 * 10 / (8.0 / 3) + 3.0 * 1 / (8.0 / 3));
	assert_same_double(got.total, 18.0);
	arena_free(&mem);
}

static void one_bin_over_several_symbols(void **state)
{
	static const uint64_t lo[] = { 0x1000, 0x1002, 0x1008, 0x1009, 0x100a }, ticks[] = { 80 };
	struct arena mem = test_arena();
	struct symtab symtab = make_symtab(lo, 5, 0x1010, &mem);
	struct selection sel = select_all(&symtab, &mem);
	struct profile prof = { 0 };
	struct ticks got;

	(void)state;
	add_hist(&prof, 0x1000, 0x1010, 1, ticks, &mem);
	got = resolve_ticks(&prof, &symtab, &sel, &mem);
	assert_same_double(got.self[0], 10.0);
	assert_same_double(got.self[1], 30.0);
	/* An odd start is cut to a whole unit: the symbol before it has none left. */
	assert_same_double(got.self[2], 0.0);
	assert_same_double(got.self[3], 10.0);
	assert_same_double(got.self[4], 30.0);
	assert_same_double(got.total, 80.0);
	arena_free(&mem);
}

static void ticks_of_left_out_symbols_leave_the_total(void **state)
{
	static const uint64_t lo[] = { 0x1000, 0x1006 }, ticks[] = { 3, 4, 5 };
	struct arena mem = test_arena();
	struct symtab symtab = make_symtab(lo, 2, 0x100c, &mem);
	struct selection sel = select_all(&symtab, &mem);
	struct profile prof = { 0 };
	struct ticks got;

	(void)state;
	bitset_remove(sel.flat, 1);
	add_hist(&prof, 0x1000, 0x100c, 3, ticks, &mem);
	got = resolve_ticks(&prof, &symtab, &sel, &mem);
	assert_same_double(got.self[0], 5.0);
	assert_same_double(got.self[1], 0.0);
	assert_same_double(got.total, 5.0);
	arena_free(&mem);
}

static void ticks_outside_count_in_the_total_only(void **state)
{
	static const uint64_t lo[] = { 0x1008, 0x100c };
	static const uint64_t ticks[] = { 1, 2, 4, 8, 16, 32, 64, 128 };
	struct arena mem = test_arena();
	struct symtab symtab = make_symtab(lo, 2, 0x1010, &mem);
	struct symtab none = { 0 };
	struct selection sel = select_all(&symtab, &mem);
	struct profile prof = { 0 };
	struct ticks got;

	(void)state;
	add_hist(&prof, 0x1000, 0x1020, 8, ticks, &mem);
	got = resolve_ticks(&prof, &symtab, &sel, &mem);
	assert_same_double(got.self[0], 4.0);
	assert_same_double(got.self[1], 8.0);
	assert_same_double(got.total, 255.0);
	got = resolve_ticks(&prof, &none, &sel, &mem);
	assert_same_double(got.total, 255.0);
	prof.hists.n = 0;
	got = resolve_ticks(&prof, &symtab, &sel, &mem);
	assert_same_double(got.self[1], 0.0);
	assert_same_double(got.total, 0.0);
	arena_free(&mem);
}

static void last_symbol_is_credited_up_to_its_end(void **state)
{
	static const uint64_t lo[] = { 0x1000 }, ticks[] = { 4, 4 };
	static const struct {
		uint64_t end;
		double self;
	} cases[] = { { 0x1000, 0 }, { 0x1001, 0 }, { 0x1002, 2 }, { 0x1003, 2 },
		      { 0x1004, 4 }, { 0x1006, 6 }, { 0x1008, 8 }, { 0x2000, 8 } };

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct arena mem = test_arena();
		struct symtab symtab = make_symtab(lo, 1, cases[i].end, &mem);
		struct selection sel = select_all(&symtab, &mem);
		struct profile prof = { 0 };
		struct ticks got;

		add_hist(&prof, 0x1000, 0x1008, 2, ticks, &mem);
		got = resolve_ticks(&prof, &symtab, &sel, &mem);
		assert_same_double(got.self[0], cases[i].self);
		assert_same_double(got.total, 8.0);
		arena_free(&mem);
	}
}

static void bins_without_width_are_credited_to_nobody(void **state)
{
	static const uint64_t lo[] = { 0x0ff0, 0x1000 }, ticks[] = { 4, 4 };
	struct arena mem = test_arena();
	struct symtab symtab = make_symtab(lo, 2, 0x2000, &mem);
	struct selection sel = select_all(&symtab, &mem);
	struct profile prof = { 0 };
	struct ticks got;

	(void)state;
	add_hist(&prof, 0x1000, 0x1001, 2, ticks, &mem);
	got = resolve_ticks(&prof, &symtab, &sel, &mem);
	assert_same_double(got.self[0], 0.0);
	assert_same_double(got.self[1], 0.0);
	assert_same_double(got.total, 8.0);
	arena_free(&mem);
}

/* Scales that differ by less than 1e-6 fit; the first one's divides all the same. */
static void first_scale_serves_all(void **state)
{
	enum { NBINS = 1000001, FIRST_BYTES = 4 * NBINS, SECOND_BYTES = FIRST_BYTES + 2 };
	static const uint64_t lo[] = { 0x1000, 0x10000000 };
	struct arena mem = test_arena();
	struct symtab symtab = make_symtab(lo, 2, 0x20000000, &mem);
	struct selection sel = select_all(&symtab, &mem);
	uint64_t *ticks = arena_array(&mem, uint64_t, NBINS);
	struct profile prof = { 0 };
	struct ticks got;

	(void)state;
	add_hist(&prof, 0x1000, 0x1000 + FIRST_BYTES, NBINS, ticks, &mem);
	ticks[7] = 1;
	ticks[NBINS - 1] = 10;
	add_hist(&prof, 0x10000000, 0x10000000 + SECOND_BYTES, NBINS, ticks, &mem);
	assert_true(profile_hist_scale(&prof.hists.at[0]) != profile_hist_scale(&prof.hists.at[1]));
	got = resolve_ticks(&prof, &symtab, &sel, &mem);
	assert_same_double(got.self[0], 0.0);
	assert_same_double(got.self[1], 11.0);
	assert_same_double(got.total, 11.0);
	arena_free(&mem);
}

/* The rule as written: every bin against every symbol, histograms in the order of the data. */
static double slow_ticks(const struct profile *prof, const struct symtab *symtab,
			 struct bitset credited, double *self)
{
	double scale = profile_hist_scale(&prof->hists.at[0]), total = 0.0;

	for (size_t h = 0; h < prof->hists.n; h++) {
		const struct hist *hist = &prof->hists.at[h];

		for (uint32_t i = 0; i < hist->nbins; i++) {
			uint64_t lo = hist->lo / 2 + (uint64_t)(scale * i);
			uint64_t hi = hist->lo / 2 + (uint64_t)(scale * (i + 1));
			double count = (double)hist->ticks[i];

			total += count;
			for (sym_id s = 0; s < symtab->nsyms; s++) {
				uint64_t start = symtab->sym[s].lo / 2, end = symtab->sym[s].hi / 2;
				uint64_t from = lo > start ? lo : start, to = hi < end ? hi : end;
				double share = to > from ? (double)(to - from) * count / scale : 0;

				if (bitset_has(credited, s))
					self[s] += share;
				else
					total -= share;
			}
		}
	}
	return total;
}

static void random_profiles_equal_slow_ones(void **state)
{
	uint64_t seed = 31;

	(void)state;
	for (int round = 0; round < 3000; round++) {
		struct arena mem = test_arena();
		uint64_t lo[MAX_SYMS], ticks[MAX_BINS], base = 0x1000, width;
		uint32_t nsyms = random_below(&seed, MAX_SYMS), nbins, nhists;
		double self[MAX_SYMS] = { 0 };
		struct profile prof = { 0 };
		struct symtab symtab;
		struct selection sel;
		struct ticks got;

		for (uint32_t i = 0; i < nsyms; i++)
			lo[i] = 0x1000 + random_below(&seed, 700);
		symtab = make_symtab(lo, nsyms, 0x1000 + random_below(&seed, 900), &mem);
		sel = select_all(&symtab, &mem);
		for (sym_id s = 0; s < symtab.nsyms; s++) {
			if (random_below(&seed, 4) == 0)
				bitset_remove(sel.flat, s);
		}
		nbins = 1 + random_below(&seed, MAX_BINS);
		nhists = 1 + random_below(&seed, 3);
		width = 2 * random_below(&seed, 300);
		for (uint32_t h = 0; h < nhists; h++) {
			base = base - 50 + random_below(&seed, 200);
			for (uint32_t i = 0; i < nbins; i++)
				ticks[i] = random_below(&seed, 2) * random_below(&seed, 70000);
			add_hist(&prof, base, base + width, nbins, ticks, &mem);
			base += width;
		}
		got = resolve_ticks(&prof, &symtab, &sel, &mem);
		assert_same_double(got.total, slow_ticks(&prof, &symtab, sel.flat, self));
		for (sym_id s = 0; s < symtab.nsyms; s++)
			assert_same_double(got.self[s], self[s]);
		arena_free(&mem);
	}
}

/* Symbols: 0 a function, 1 and 2 labels, 3 a function, 4 a label, the last, empty. */
static struct symtab labels_and_functions(struct arena *mem)
{
	static const struct sym syms[] = {
		{ .lo = 0x1000, .name = "f", .flags = SYM_FUNC },
		{ .lo = 0x1010, .name = "l" },
		{ .lo = 0x1020, .name = "m", .flags = SYM_STATIC },
		{ .lo = 0x1030, .name = "g", .flags = SYM_FUNC | SYM_STATIC },
		{ .lo = 0x1040, .name = "end" },
	};

	return symtab_build(syms, COUNT(syms), 0x1040, mem);
}

static const struct selection everything; /* of the arcs */

static void expect_arc(const struct symtab *symtab, struct raw_arc raw, const struct arc *expected)
{
	struct arena mem = test_arena();
	struct profile prof = { 0 };
	struct arc *arcs;
	size_t n;

	array_push(&mem, &prof.arcs) = raw;
	arcs = resolve_arcs(&prof, symtab, &everything, &n, NULL, &mem);
	assert_int_equal(n, expected ? 1 : 0);
	if (expected) {
		assert_int_equal(arcs[0].from, expected->from);
		assert_int_equal(arcs[0].to, expected->to);
		assert_int_equal(arcs[0].ncalls, expected->ncalls);
	}
	arena_free(&mem);
}

static void whose_an_arcs_ends_are(void **state)
{
	static const struct {
		struct raw_arc raw;
		struct arc arc;
	} cases[] = {
		{ { 0x1004, 0x1030, 5 }, { 0, 3, 5 } },
		{ { 0x1000, 0x103f, 1 }, { 0, 3, 1 } },
		{ { 0x100f, 0x1000, 0 }, { 0, 0, 0 } },
		/* A call site may be in a label; a callee is one if called at its very start. */
		{ { 0x1010, 0x1000, 2 }, { 1, 0, 2 } },
		{ { 0x102f, 0x1031, 2 }, { 2, 3, 2 } },
		{ { 0x1000, 0x1010, 3 }, { 0, 1, 3 } },
		{ { 0x1000, 0x1020, 3 }, { 0, 2, 3 } },
		{ { 0x1000, 0x1011, 4 }, { 0, 0, 4 } },
		{ { 0x1000, 0x1021, 4 }, { 0, 0, 4 } },
		{ { 0x1030, 0x102f, (uint64_t)1 << 40 }, { 3, 0, (uint64_t)1 << 40 } },
	};
	static const struct raw_arc left_out[] = {
		{ 0x0fff, 0x1000, 1 }, { 0x1000, 0x0fff, 1 }, { 0x1040, 0x1000, 1 },
		{ 0x1000, 0x1040, 1 }, { 0, 0, 1 },           { UINT64_MAX, UINT64_MAX, 1 },
	};
	struct arena mem = test_arena();
	struct symtab symtab = labels_and_functions(&mem);

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++)
		expect_arc(&symtab, cases[i].raw, &cases[i].arc);
	for (size_t i = 0; i < COUNT(left_out); i++)
		expect_arc(&symtab, left_out[i], NULL);
	arena_free(&mem);
}

static void label_without_function_before_it(void **state)
{
	static const struct sym syms[] = { { .lo = 0x1000, .name = "l" },
					   { .lo = 0x1010, .name = "m" },
					   { .lo = 0x1020, .name = "f", .flags = SYM_FUNC } };
	struct arena mem = test_arena();
	struct symtab symtab = symtab_build(syms, COUNT(syms), 0x1030, &mem);

	(void)state;
	expect_arc(&symtab, (struct raw_arc){ 0x1020, 0x1011, 1 }, NULL);
	expect_arc(&symtab, (struct raw_arc){ 0x1020, 0x1001, 1 }, NULL);
	expect_arc(&symtab, (struct raw_arc){ 0x1020, 0x1000, 1 }, &(struct arc){ 2, 0, 1 });
	expect_arc(&symtab, (struct raw_arc){ 0x1001, 0x1021, 1 }, &(struct arc){ 0, 2, 1 });
	arena_free(&mem);
}

static void arcs_keep_the_order_of_the_data(void **state)
{
	static const struct raw_arc raw[] = { { 0x1030, 0x1000, 1 },
					      { 0x1000, 0x1030, 2 },
					      { 0x2000, 0x1030, 3 },
					      { 0x1000, 0x1030, 4 },
					      { 0x1004, 0x1030, 5 } };
	static const struct arc expected[] = { { 3, 0, 1 }, { 0, 3, 2 }, { 0, 3, 4 }, { 0, 3, 5 } };
	struct arena mem = test_arena();
	struct symtab symtab = labels_and_functions(&mem);
	struct profile prof = { 0 };
	struct arc *arcs;
	size_t n;

	(void)state;
	for (size_t i = 0; i < COUNT(raw); i++)
		array_push(&mem, &prof.arcs) = raw[i];
	arcs = resolve_arcs(&prof, &symtab, &everything, &n, NULL, &mem);
	assert_int_equal(n, COUNT(expected));
	for (size_t i = 0; i < n; i++) {
		assert_int_equal(arcs[i].from, expected[i].from);
		assert_int_equal(arcs[i].to, expected[i].to);
		assert_int_equal(arcs[i].ncalls, expected[i].ncalls);
	}
	prof.arcs.n = 0;
	resolve_arcs(&prof, &symtab, &everything, &n, NULL, &mem);
	assert_int_equal(n, 0);
	arena_free(&mem);
}

/* The symbols of a text such as "ad". */
static struct bitset make_set(const char *names, struct arena *mem)
{
	struct bitset set = bitset_empty(mem, MAX_SYMS);

	for (; *names; names++)
		bitset_add(set, (size_t)(*names - 'a'));
	return set;
}

/* Of the calls a->d, d->a and a->a those that the selection lets through, as text. */
static void expect_selected(const struct selection *sel, const char *expected)
{
	static const struct raw_arc raw[] = { { 0x1000, 0x1030, 1 },
					      { 0x1030, 0x1000, 1 },
					      { 0x1000, 0x1000, 1 } };
	struct arena mem = test_arena();
	struct symtab symtab = labels_and_functions(&mem);
	struct profile prof = { 0 };
	char got[40] = "";
	struct arc *arcs;
	size_t n;

	for (size_t i = 0; i < COUNT(raw); i++)
		array_push(&mem, &prof.arcs) = raw[i];
	arcs = resolve_arcs(&prof, &symtab, sel, &n, NULL, &mem);
	for (size_t i = 0; i < n; i++)
		snprintf(got + 3 * i, sizeof(got) - 3 * i, "%c%c ", 'a' + (int)arcs[i].from,
			 'a' + (int)arcs[i].to);
	assert_string_equal(got, expected);
	arena_free(&mem);
}

static void arcs_that_are_not_selected(void **state)
{
	struct arena mem = test_arena();
	const struct arc_set sets[] = {
		{ make_set("a", &mem), make_set("d", &mem) },
		{ make_set("a", &mem), make_set("a", &mem) },
		{ make_set("", &mem), make_set("abcd", &mem) },
		{ make_set("bd", &mem), make_set("ad", &mem) },
	};

	(void)state;
	expect_selected(&(struct selection){ 0 }, "ad da aa ");
	expect_selected(&(struct selection){ .arcs_out = &sets[0], .narcs_out = 1 }, "da aa ");
	expect_selected(&(struct selection){ .arcs_out = &sets[0], .narcs_out = 2 }, "da ");
	expect_selected(&(struct selection){ .arcs_out = &sets[2], .narcs_out = 1 }, "ad da aa ");
	expect_selected(&(struct selection){ .arcs_out = sets, .narcs_out = 4 }, "");
	expect_selected(&(struct selection){ .arcs_in = &sets[3], .narcs_in = 1 }, "da ");
	expect_selected(&(struct selection){ .arcs_in = &sets[1], .narcs_in = 3 }, "da aa ");
	/* What is put out does not matter where something is let in. */
	expect_selected(
		&(struct selection){
			.arcs_in = sets, .narcs_in = 1, .arcs_out = sets, .narcs_out = 4 },
		"ad ");
	arena_free(&mem);
}

/* Whether a call from one symbol to another is in one of n sets, by looking at all. */
static bool slow_has(const struct arc_set *sets, size_t n, sym_id from, sym_id to)
{
	bool has = false;

	for (size_t i = 0; i < n; i++)
		has |= (sets[i].from.bits[0] & 1u << from) && (sets[i].to.bits[0] & 1u << to);
	return has;
}

static void random_selections_equal_slow_ones(void **state)
{
	uint64_t seed = 83;

	(void)state;
	for (int round = 0; round < 300; round++) {
		struct arena mem = test_arena();
		struct arc_set in[3], out[3];
		struct selection sel = { .arcs_in = in, .arcs_out = out };

		sel.narcs_in = random_below(&seed, 2) * random_below(&seed, 4);
		sel.narcs_out = random_below(&seed, 4);
		for (int i = 0; i < 3; i++) {
			in[i] = (struct arc_set){ bitset_empty(&mem, 4), bitset_empty(&mem, 4) };
			out[i] = (struct arc_set){ bitset_empty(&mem, 4), bitset_empty(&mem, 4) };
			in[i].from.bits[0] = (unsigned char)random_below(&seed, 16);
			in[i].to.bits[0] = (unsigned char)random_below(&seed, 16);
			out[i].from.bits[0] = (unsigned char)random_below(&seed, 16);
			out[i].to.bits[0] = (unsigned char)random_below(&seed, 16);
		}
		for (sym_id from = 0; from < 4; from++) {
			for (sym_id to = 0; to < 4; to++)
				assert_int_equal(selection_has_arc(&sel, from, to),
						 sel.narcs_in > 0
							 ? slow_has(in, sel.narcs_in, from, to)
							 : !slow_has(out, sel.narcs_out, from, to));
		}
		arena_free(&mem);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(whole_bins_go_to_their_symbol),
		cmocka_unit_test(bins_of_fractional_width),
		cmocka_unit_test(one_bin_over_several_symbols),
		cmocka_unit_test(ticks_of_left_out_symbols_leave_the_total),
		cmocka_unit_test(ticks_outside_count_in_the_total_only),
		cmocka_unit_test(last_symbol_is_credited_up_to_its_end),
		cmocka_unit_test(bins_without_width_are_credited_to_nobody),
		cmocka_unit_test(first_scale_serves_all),
		cmocka_unit_test(random_profiles_equal_slow_ones),
		cmocka_unit_test(whose_an_arcs_ends_are),
		cmocka_unit_test(label_without_function_before_it),
		cmocka_unit_test(arcs_keep_the_order_of_the_data),
		cmocka_unit_test(arcs_that_are_not_selected),
		cmocka_unit_test(random_selections_equal_slow_ones),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
