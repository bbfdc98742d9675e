/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adding up histograms: which ones are one, which do not fit, which overlap. */
#include "testing.h"

#include "model/profile_sum.h"

static const struct unit seconds = { .rate = 100, .dimension = "seconds", .abbrev = 's' };

/* Adds `ticks` to the first bin of a histogram of 4-byte bins, which must fit. */
static struct hist *add_range(struct profile_sum *sum, uint64_t lo, uint64_t hi, uint64_t ticks)
{
	struct hist like = { .lo = lo, .hi = hi, .nbins = (uint32_t)((hi - lo) / 4) };
	enum hist_conflict why;
	struct hist *hist = profile_sum_hist(sum, &like, &seconds, &why);

	assert_non_null(hist);
	assert_int_equal(why, HIST_FITS);
	assert_int_equal(hist->lo, lo);
	assert_int_equal(hist->hi, hi);
	assert_int_equal(hist->nbins, (hi - lo) / 4);
	hist->ticks[0] += ticks;
	return hist;
}

static void refuse(struct profile_sum *sum, const struct hist *like, const struct unit *unit,
		   enum hist_conflict expected)
{
	size_t n = sum->prof.hists.n;
	enum hist_conflict why = HIST_FITS;

	assert_null(profile_sum_hist(sum, like, unit, &why));
	assert_int_equal(why, expected);
	assert_int_equal(sum->prof.hists.n, n);
}

static void equal_ranges_are_one(void **state)
{
	struct arena mem = test_arena();
	struct profile_sum sum = { .mem = &mem };
	struct hist *hist = add_range(&sum, 0x1000, 0x1100, 3);

	(void)state;
	for (uint32_t i = 1; i < hist->nbins; i++)
		assert_int_equal(hist->ticks[i], 0);
	add_range(&sum, 0x2000, 0x2100, 10);
	hist = add_range(&sum, 0x1000, 0x1100, 4);
	assert_int_equal(sum.prof.hists.n, 2);
	assert_int_equal(hist->ticks[0], 7);
	assert_int_equal(sum.prof.hists.at[0].ticks[0], 7);
	assert_int_equal(sum.prof.hists.at[1].ticks[0], 10);
	assert_int_equal(sum.prof.hists.at[1].lo, 0x2000);
	arena_free(&mem);
}

/* Only the first histogram gets spare bins, and only if there are enough of them. */
static void spare_bins_are_used(void **state)
{
	struct arena mem = test_arena();
	uint64_t spare[0x40] = { 0 };

	(void)state;
	for (uint32_t n = 0x3f; n <= 0x41; n++) {
		struct profile_sum sum = { .mem = &mem,
					   .spare = { .nbins = 0x40, .ticks = spare } };

		add_range(&sum, 0x1000, 0x1000 + 4 * n, 1);
		add_range(&sum, 0x2000, 0x2000 + 4 * n, 1);
		assert_true((sum.prof.hists.at[0].ticks == spare) == (n <= 0x40));
		assert_true(sum.prof.hists.at[1].ticks != spare);
		for (uint32_t i = 1; i < n; i++)
			assert_int_equal(sum.prof.hists.at[0].ticks[i], 0);
	}
	arena_free(&mem);
}

static void first_unit_is_kept(void **state)
{
	struct arena mem = test_arena();
	struct profile_sum sum = { .mem = &mem };
	struct hist like = { .lo = 0, .hi = 0x100, .nbins = 0x40 };
	struct unit other_rate = seconds;
	enum hist_conflict why;

	(void)state;
	other_rate.rate = 1000;
	assert_non_null(profile_sum_hist(&sum, &like, &seconds, &why));
	assert_non_null(profile_sum_hist(&sum, &like, &other_rate, &why));
	assert_int_equal(why, HIST_FITS);
	assert_int_equal(sum.prof.unit.rate, 100);
	assert_string_equal(sum.prof.unit.dimension, "seconds");
	assert_int_equal(sum.prof.unit.abbrev, 's');
	assert_int_equal(sum.prof.hists.n, 1);
	arena_free(&mem);
}

static void what_does_not_fit(void **state)
{
	struct arena mem = test_arena();
	struct profile_sum sum = { .mem = &mem };
	const struct hist same = { .lo = 0, .hi = 0x100, .nbins = 0x40 };
	const struct hist fewer_bins = { .lo = 0, .hi = 0x100, .nbins = 0x3f };
	const struct hist elsewhere = { .lo = 0x200, .hi = 0x300, .nbins = 0x20 };
	const struct hist no_bins = { .lo = 0x200, .hi = 0x300 };
	struct unit metres = seconds, minutes = seconds, both = seconds;

	(void)state;
	add_range(&sum, 0, 0x100, 1);
	strcpy(metres.dimension, "metres");
	minutes.abbrev = 'm';
	strcpy(both.dimension, "second");
	both.abbrev = 'm';
	refuse(&sum, &same, &metres, HIST_OTHER_DIMENSION);
	refuse(&sum, &same, &minutes, HIST_OTHER_ABBREV);
	refuse(&sum, &same, &both, HIST_OTHER_DIMENSION);
	refuse(&sum, &fewer_bins, &seconds, HIST_OTHER_SCALE);
	refuse(&sum, &elsewhere, &seconds, HIST_OTHER_SCALE);
	refuse(&sum, &no_bins, &seconds, HIST_OTHER_SCALE);
	assert_non_null(add_range(&sum, 0x200, 0x300, 1));
	arena_free(&mem);
}

/* Scales may differ by 1e-6; but the same range with other bins never fits. */
static void nearly_equal_scales(void **state)
{
	struct arena mem = test_arena();
	struct profile_sum sum = { .mem = &mem };
	const struct hist first = { .lo = 0, .hi = 12000000, .nbins = 3000000 };
	const struct hist one_less = { .lo = 0, .hi = 12000000, .nbins = 2999999 };
	const struct hist near = { .lo = 0x10000000,
				   .hi = 0x10000000 + 12000004,
				   .nbins = 3000000 };
	const struct hist far = { .lo = 0x20000000, .hi = 0x20000000 + 4000004, .nbins = 1000000 };
	enum hist_conflict why;

	(void)state;
	assert_non_null(profile_sum_hist(&sum, &first, &seconds, &why));
	assert_non_null(profile_sum_hist(&sum, &near, &seconds, &why));
	refuse(&sum, &far, &seconds, HIST_OTHER_SCALE);
	refuse(&sum, &one_less, &seconds, HIST_OTHER_SCALE);
	assert_int_equal(sum.prof.hists.n, 2);
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
	struct profile_sum sum = { .mem = &mem };
	size_t a = 99, b = 99;

	for (size_t i = 0; i < n; i++)
		add_range(&sum, ranges[i].lo, ranges[i].hi, 1);
	assert_int_equal(profile_sum_overlap(&sum, &a, &b), overlap);
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
	struct profile_sum sum = { .mem = &mem };
	size_t a, b;

	(void)state;
	assert_false(profile_sum_overlap(&sum, &a, &b));
	add_range(&sum, 0x100, 0x200, 1);
	assert_false(profile_sum_overlap(&sum, &a, &b));
	add_range(&sum, 0x100, 0x200, 1);
	assert_false(profile_sum_overlap(&sum, &a, &b));
	add_range(&sum, 0x180, 0x280, 1);
	assert_true(profile_sum_overlap(&sum, &a, &b));
	assert_false(profile_sum_overlap(&sum, &a, &b));
	arena_free(&mem);
}

static void random_ranges_overlap_as_pairs_tell(void **state)
{
	uint64_t seed = 21;
	int noverlaps = 0;

	(void)state;
	for (int round = 0; round < 3000; round++) {
		struct arena mem = test_arena();
		struct profile_sum sum = { .mem = &mem };
		uint32_t n = 1 + random_below(&seed, 6);
		bool expected = false;
		size_t a, b;

		for (uint32_t i = 0; i < n; i++) {
			uint64_t lo = 4 * random_below(&seed, 40);

			add_range(&sum, lo, lo + 4 * (1 + random_below(&seed, 8)), 1);
		}
		for (size_t i = 0; i < sum.prof.hists.n; i++) {
			for (size_t k = 0; k < i; k++)
				expected |= sum.prof.hists.at[i].lo < sum.prof.hists.at[k].hi &&
					    sum.prof.hists.at[k].lo < sum.prof.hists.at[i].hi;
		}
		assert_int_equal(profile_sum_overlap(&sum, &a, &b), expected);
		if (expected) {
			noverlaps++;
			assert_true(a < b && b < sum.prof.hists.n);
			assert_true(sum.prof.hists.at[a].lo < sum.prof.hists.at[b].hi);
			assert_true(sum.prof.hists.at[b].lo < sum.prof.hists.at[a].hi);
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
	struct profile_sum sum = { .mem = &mem };
	size_t a, b;

	(void)state;
	for (int round = 0; round < 3; round++) {
		for (uint32_t i = 0; i < N; i++) {
			uint64_t k = (uint64_t)i * STEP % N;

			add_range(&sum, 0x1000 + 16 * k, 0x1000 + 16 * (k + 1), k);
		}
		assert_int_equal(sum.prof.hists.n, N);
		assert_false(profile_sum_overlap(&sum, &a, &b));
	}
	for (uint32_t i = 0; i < N; i++) {
		uint64_t k = (uint64_t)i * STEP % N;

		assert_int_equal(sum.prof.hists.at[i].lo, 0x1000 + 16 * k);
		assert_int_equal(sum.prof.hists.at[i].ticks[0], 3 * k);
	}
	add_range(&sum, 0x1000 + 16 * 777 + 4, 0x1000 + 16 * 777 + 8, 1);
	assert_true(profile_sum_overlap(&sum, &a, &b));
	assert_int_equal(b, N);
	assert_int_equal(sum.prof.hists.at[a].lo, 0x1000 + 16 * 777);
	arena_free(&mem);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(equal_ranges_are_one),
		cmocka_unit_test(spare_bins_are_used),
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
