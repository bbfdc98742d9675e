/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adding up histograms: which ones are one, which do not fit, which overlap. */
#include "testing.h"

#include "model/profile.h"

static const struct unit seconds = { .rate = 100, .dimension = "seconds", .abbrev = 's' };

/* Adds `ticks` to the first bin of a histogram of 4-byte bins, which must fit. */
static struct hist *add(struct profile *prof, uint64_t lo, uint64_t hi, uint64_t ticks,
			struct arena *mem)
{
	struct hist like = { .lo = lo, .hi = hi, .nbins = (uint32_t)((hi - lo) / 4) };
	enum hist_conflict why;
	struct hist *hist = profile_hist(prof, &like, &seconds, mem, &why);

	assert_non_null(hist);
	assert_int_equal(why, HIST_FITS);
	assert_int_equal(hist->lo, lo);
	assert_int_equal(hist->hi, hi);
	assert_int_equal(hist->nbins, (hi - lo) / 4);
	hist->ticks[0] += ticks;
	return hist;
}

static void refuse(struct profile *prof, const struct hist *like, const struct unit *unit,
		   struct arena *mem, enum hist_conflict expected)
{
	size_t n = prof->hists.n;
	enum hist_conflict why = HIST_FITS;

	assert_null(profile_hist(prof, like, unit, mem, &why));
	assert_int_equal(why, expected);
	assert_int_equal(prof->hists.n, n);
}

static void scale_is_units_a_bin(void **state)
{
	static const struct {
		struct hist hist;
		double scale;
	} cases[] = {
		{ { .lo = 0x1000, .hi = 0x1010, .nbins = 4 }, 2.0 },
		{ { .lo = 0x1000, .hi = 0x1010, .nbins = 3 }, 8.0 / 3 },
		{ { .lo = 0x1000, .hi = 0x1011, .nbins = 3 }, 8.0 / 3 },
		{ { .lo = 0x1001, .hi = 0x1010, .nbins = 3 }, 7.0 / 3 },
		{ { .lo = 0x1000, .hi = 0x1010, .nbins = 0 }, 0.0 },
		{ { .lo = 0x1000, .hi = 0x1000, .nbins = 5 }, 0.0 },
		{ { .lo = 0, .hi = UINT64_MAX, .nbins = 1 }, 0x1p63 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++)
		assert_same_double(hist_scale(&cases[i].hist), cases[i].scale);
}

static void equal_ranges_are_one(void **state)
{
	struct arena mem = test_arena();
	struct profile prof = { 0 };
	struct hist *hist = add(&prof, 0x1000, 0x1100, 3, &mem);

	(void)state;
	for (uint32_t i = 1; i < hist->nbins; i++)
		assert_int_equal(hist->ticks[i], 0);
	add(&prof, 0x2000, 0x2100, 10, &mem);
	hist = add(&prof, 0x1000, 0x1100, 4, &mem);
	assert_int_equal(prof.hists.n, 2);
	assert_int_equal(hist->ticks[0], 7);
	assert_int_equal(prof.hists.at[0].ticks[0], 7);
	assert_int_equal(prof.hists.at[1].ticks[0], 10);
	assert_int_equal(prof.hists.at[1].lo, 0x2000);
	arena_free(&mem);
}

static void first_unit_is_kept(void **state)
{
	struct arena mem = test_arena();
	struct profile prof = { 0 };
	struct hist like = { .lo = 0, .hi = 0x100, .nbins = 0x40 };
	struct unit other_rate = seconds;
	enum hist_conflict why;

	(void)state;
	other_rate.rate = 1000;
	assert_non_null(profile_hist(&prof, &like, &seconds, &mem, &why));
	assert_non_null(profile_hist(&prof, &like, &other_rate, &mem, &why));
	assert_int_equal(why, HIST_FITS);
	assert_int_equal(prof.unit.rate, 100);
	assert_string_equal(prof.unit.dimension, "seconds");
	assert_int_equal(prof.unit.abbrev, 's');
	assert_int_equal(prof.hists.n, 1);
	arena_free(&mem);
}

static void what_does_not_fit(void **state)
{
	struct arena mem = test_arena();
	struct profile prof = { 0 };
	const struct hist same = { .lo = 0, .hi = 0x100, .nbins = 0x40 };
	const struct hist fewer_bins = { .lo = 0, .hi = 0x100, .nbins = 0x3f };
	const struct hist elsewhere = { .lo = 0x200, .hi = 0x300, .nbins = 0x20 };
	const struct hist no_bins = { .lo = 0x200, .hi = 0x300 };
	struct unit metres = seconds, minutes = seconds, both = seconds;

	(void)state;
	add(&prof, 0, 0x100, 1, &mem);
	strcpy(metres.dimension, "metres");
	minutes.abbrev = 'm';
	strcpy(both.dimension, "second");
	both.abbrev = 'm';
	refuse(&prof, &same, &metres, &mem, HIST_OTHER_DIMENSION);
	refuse(&prof, &same, &minutes, &mem, HIST_OTHER_ABBREV);
	refuse(&prof, &same, &both, &mem, HIST_OTHER_DIMENSION);
	refuse(&prof, &fewer_bins, &seconds, &mem, HIST_OTHER_SCALE);
	refuse(&prof, &elsewhere, &seconds, &mem, HIST_OTHER_SCALE);
	refuse(&prof, &no_bins, &seconds, &mem, HIST_OTHER_SCALE);
	assert_non_null(add(&prof, 0x200, 0x300, 1, &mem));
	arena_free(&mem);
}

/* Scales may differ by 1e-6; but the same range with other bins never fits. */
static void nearly_equal_scales(void **state)
{
	struct arena mem = test_arena();
	struct profile prof = { 0 };
	const struct hist first = { .lo = 0, .hi = 12000000, .nbins = 3000000 };
	const struct hist one_less = { .lo = 0, .hi = 12000000, .nbins = 2999999 };
	const struct hist near = { .lo = 0x10000000,
				   .hi = 0x10000000 + 12000004,
				   .nbins = 3000000 };
	const struct hist far = { .lo = 0x20000000, .hi = 0x20000000 + 4000004, .nbins = 1000000 };
	enum hist_conflict why;

	(void)state;
	assert_non_null(profile_hist(&prof, &first, &seconds, &mem, &why));
	assert_non_null(profile_hist(&prof, &near, &seconds, &mem, &why));
	refuse(&prof, &far, &seconds, &mem, HIST_OTHER_SCALE);
	refuse(&prof, &one_less, &seconds, &mem, HIST_OTHER_SCALE);
	assert_int_equal(prof.hists.n, 2);
	arena_free(&mem);
}

struct range {
	uint64_t lo, hi;
};

/* Whether n ranges overlap, and which two, told after all of them came. */
static void expect_overlap(const struct range *ranges, size_t n, bool overlap, size_t first,
			   size_t second)
{
	struct arena mem = test_arena();
	struct profile prof = { 0 };
	size_t a = 99, b = 99;

	for (size_t i = 0; i < n; i++)
		add(&prof, ranges[i].lo, ranges[i].hi, 1, &mem);
	assert_int_equal(profile_overlap(&prof, &mem, &a, &b), overlap);
	if (overlap) {
		assert_int_equal(a, first);
		assert_int_equal(b, second);
	}
	arena_free(&mem);
}

static void overlaps_are_found(void **state)
{
	static const struct {
		struct range range[3];
		size_t n;
		bool overlap;
		size_t first, second;
	} cases[] = {
		{ { { 0x100, 0x200 } }, 1, false, 0, 0 },
		{ { { 0x100, 0x200 }, { 0x200, 0x300 } }, 2, false, 0, 0 },
		{ { { 0x200, 0x300 }, { 0x100, 0x200 } }, 2, false, 0, 0 },
		{ { { 0x100, 0x204 }, { 0x200, 0x300 } }, 2, true, 0, 1 },
		{ { { 0x200, 0x300 }, { 0x100, 0x204 } }, 2, true, 0, 1 },
		{ { { 0x100, 0x300 }, { 0x180, 0x200 } }, 2, true, 0, 1 },
		{ { { 0x180, 0x200 }, { 0x100, 0x300 } }, 2, true, 0, 1 },
		{ { { 0x100, 0x200 }, { 0x100, 0x300 } }, 2, true, 0, 1 },
		{ { { 0x200, 0x300 }, { 0x100, 0x300 } }, 2, true, 0, 1 },
		{ { { 0x100, 0x200 }, { 0x300, 0x400 }, { 0x200, 0x300 } }, 3, false, 0, 0 },
		{ { { 0x100, 0x200 }, { 0x300, 0x400 }, { 0x380, 0x500 } }, 3, true, 1, 2 },
		{ { { 0x380, 0x500 }, { 0x100, 0x200 }, { 0x300, 0x400 } }, 3, true, 0, 2 },
		{ { { 0, 4 }, { UINT64_MAX - 7, UINT64_MAX - 3 } }, 2, false, 0, 0 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++)
		expect_overlap(cases[i].range, cases[i].n, cases[i].overlap, cases[i].first,
			       cases[i].second);
}

static void old_ranges_are_not_checked_again(void **state)
{
	struct arena mem = test_arena();
	struct profile prof = { 0 };
	size_t a, b;

	(void)state;
	assert_false(profile_overlap(&prof, &mem, &a, &b));
	add(&prof, 0x100, 0x200, 1, &mem);
	assert_false(profile_overlap(&prof, &mem, &a, &b));
	add(&prof, 0x100, 0x200, 1, &mem);
	assert_false(profile_overlap(&prof, &mem, &a, &b));
	add(&prof, 0x180, 0x280, 1, &mem);
	assert_true(profile_overlap(&prof, &mem, &a, &b));
	assert_false(profile_overlap(&prof, &mem, &a, &b));
	arena_free(&mem);
}

static void random_ranges_overlap_as_pairs_tell(void **state)
{
	uint64_t seed = 21;
	int noverlaps = 0;

	(void)state;
	for (int round = 0; round < 3000; round++) {
		struct arena mem = test_arena();
		struct profile prof = { 0 };
		uint32_t n = 1 + random_below(&seed, 6);
		bool expected = false;
		size_t a, b;

		for (uint32_t i = 0; i < n; i++) {
			uint64_t lo = 4 * random_below(&seed, 40);

			add(&prof, lo, lo + 4 * (1 + random_below(&seed, 8)), 1, &mem);
		}
		for (size_t i = 0; i < prof.hists.n; i++) {
			for (size_t k = 0; k < i; k++)
				expected |= prof.hists.at[i].lo < prof.hists.at[k].hi &&
					    prof.hists.at[k].lo < prof.hists.at[i].hi;
		}
		assert_int_equal(profile_overlap(&prof, &mem, &a, &b), expected);
		if (expected) {
			noverlaps++;
			assert_true(a < b && b < prof.hists.n);
			assert_true(prof.hists.at[a].lo < prof.hists.at[b].hi);
			assert_true(prof.hists.at[b].lo < prof.hists.at[a].hi);
		}
		arena_free(&mem);
	}
	assert_in_range(noverlaps, 300, 2700);
}

/* Quadratic work would take minutes. */
static void many_ranges(void **state)
{
	enum { N = 200000, STEP = 7919 };
	struct arena mem = test_arena();
	struct profile prof = { 0 };
	size_t a, b;

	(void)state;
	for (int round = 0; round < 3; round++) {
		for (uint32_t i = 0; i < N; i++) {
			uint64_t k = (uint64_t)i * STEP % N;

			add(&prof, 0x1000 + 16 * k, 0x1000 + 16 * (k + 1), k, &mem);
		}
		assert_int_equal(prof.hists.n, N);
		assert_false(profile_overlap(&prof, &mem, &a, &b));
	}
	for (uint32_t i = 0; i < N; i++) {
		uint64_t k = (uint64_t)i * STEP % N;

		assert_int_equal(prof.hists.at[i].lo, 0x1000 + 16 * k);
		assert_int_equal(prof.hists.at[i].ticks[0], 3 * k);
	}
	add(&prof, 0x1000 + 16 * 777 + 4, 0x1000 + 16 * 777 + 8, 1, &mem);
	assert_true(profile_overlap(&prof, &mem, &a, &b));
	assert_int_equal(b, N);
	assert_int_equal(prof.hists.at[a].lo, 0x1000 + 16 * 777);
	arena_free(&mem);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(scale_is_units_a_bin),
		cmocka_unit_test(equal_ranges_are_one),
		cmocka_unit_test(first_unit_is_kept),
		cmocka_unit_test(what_does_not_fit),
		cmocka_unit_test(nearly_equal_scales),
		cmocka_unit_test(overlaps_are_found),
		cmocka_unit_test(old_ranges_are_not_checked_again),
		cmocka_unit_test(random_ranges_overlap_as_pairs_tell),
		cmocka_unit_test(many_ranges),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
