/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Pairs are compared at the level that is promised, however early the runs end: planted ratios from
 * fixed seeds, so that nothing is left to luck.
 */
#include "testing.h"

#include "analysis/versus/pairs.h"
#include "analysis/versus/sequential.h"

#include <math.h>

/* A normal variable, by the method of Box and Muller. */
static double normal(uint64_t *state)
{
	double u = ((double)(random_bits(state) >> 11) + 0.5) / 9007199254740992.0;
	double v = (double)(random_bits(state) >> 11) / 9007199254740992.0;

	return sqrt(-2.0 * log(u)) * cos(2.0 * M_PI * v);
}

/* How the logarithms of the ratios of pairs are distributed around their mean. */
enum shape { NORMAL, OUTLIERS, COARSE };

static double spread(enum shape shape, uint64_t *state)
{
	double x = normal(state);

	if (shape == OUTLIERS) /* each fifth run is disturbed */
		return random_below(state, 5) == 0 ? 10.0 * x : x;
	if (shape == COARSE) /* a clock whose ticks are as long as the times vary */
		return round(x);
	return x;
}

struct planted {
	enum shape shape;
	double mean, deviation; /* of the logarithm of new / base */
	uint32_t npairs;        /* the most */
	double drift;           /* the machine becomes slower by this part from pair to pair */
	bool looks;             /* ends early once a difference is found */
};

static struct pair plant(const struct planted *p, uint32_t i, uint64_t *state)
{
	double both = 0.5 * (1.0 + p->drift * i);
	struct pair pair;

	for (int cost = 0; cost < PAIRED_COSTS; cost++) {
		pair.seconds[SIDE_BASE][cost] = both;
		pair.seconds[SIDE_NEW][cost] =
			both * exp(p->mean + p->deviation * spread(p->shape, state));
	}
	return pair;
}

enum { MOST_PAIRS = 100 };

/* The error probabilities of the looks at each number of pairs; they do not depend on the data. */
struct plan {
	double nominal[MOST_PAIRS + 1];
};

static struct plan plan_looks(const struct planted *p, double alpha)
{
	struct sequential looks = { .alpha = alpha };
	struct plan plan = { { 0.0 } };

	for (uint32_t n = 1; n <= p->npairs; n++) {
		if (n == p->npairs || (p->looks && pairs_is_look(n)))
			plan.nominal[n] = sequential_look(&looks, n, (double)n / p->npairs);
	}
	return plan;
}

/* Runs one comparison to its end; sets *n to the number of its pairs. */
static struct paired_total compare(const struct planted *p, const struct plan *plan, uint32_t *n,
				   uint64_t *state)
{
	struct paired_total total = { .known = false };
	struct pair pair[MOST_PAIRS];

	for (*n = 0; *n < p->npairs;) {
		pair[*n] = plant(p, *n, state);
		++*n;
		if (!(plan->nominal[*n] > 0.0))
			continue;
		total = pairs_compare(pair, *n, PAIRED_ELAPSED, plan->nominal[*n]);
		if (total.verdict != VERDICT_NOISE)
			break;
	}
	return total;
}

/* The share of comparisons with a mark, and of intervals that do not hold the truth. */
struct errors {
	double marked, missed, pairs;
};

static struct errors repeat(const struct planted *p, double alpha, unsigned times)
{
	const struct plan plan = plan_looks(p, alpha);
	struct errors errors = { 0 };
	uint64_t state = 20260701;
	uint32_t n;

	for (unsigned i = 0; i < times; i++) {
		struct paired_total total = compare(p, &plan, &n, &state);
		double truth = exp(p->mean);

		errors.marked += total.verdict != VERDICT_NOISE;
		errors.missed += total.low > truth || total.high < truth;
		errors.pairs += n;
	}
	errors.marked /= times;
	errors.missed /= times;
	errors.pairs /= times;
	return errors;
}

/* A share of so many trials that is larger than this is not alpha by chance. */
static double most(double alpha, unsigned times)
{
	return alpha + 3.0 * sqrt(alpha * (1.0 - alpha) / times);
}

/*
 * Two looks at half and all of the data: the second bound was computed by another program, as the
 * integral over the first value of the conditional normal distribution of the second.
 */
static void bounds_of_two_looks(void **state)
{
	struct sequential s = { .alpha = 0.05 / 0.9 };
	double first, second;

	(void)state;
	first = sequential_look(&s, 10.0, 0.5);
	assert_true(fabs(first - 0.0125) < 1e-9);
	second = sequential_look(&s, 20.0, 1.0);
	if (fabs(second - 0.043558960) > 1e-6)
		fail_msg("%.9f", second);
}

static void one_look_has_it_all(void **state)
{
	struct sequential s = { .alpha = 0.0125 };

	(void)state;
	assert_true(fabs(sequential_look(&s, 30.0, 1.0) - 0.0125) < 1e-9);
	assert_true(sequential_look(&s, 31.0, 1.0) == 0.0);
}

static void many_looks_keep_the_level(void **state)
{
	static const struct {
		enum shape shape;
		uint32_t npairs;
		double alpha;
		unsigned times;
	} cases[] = {
		{ NORMAL, 30, 0.05, 20000 },  { NORMAL, 30, 0.0125, 20000 },
		{ NORMAL, 7, 0.05, 10000 },   { NORMAL, 100, 0.05, 1000 },
		{ OUTLIERS, 30, 0.05, 2000 }, { COARSE, 30, 0.05, 5000 },
		{ COARSE, 7, 0.05, 10000 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct planted p = { cases[i].shape, 0.0, 0.03, cases[i].npairs, 0.0, true };
		struct errors errors = repeat(&p, cases[i].alpha, cases[i].times);

		print_message("# alpha %g, %u pairs, shape %d: %.4f\n", cases[i].alpha,
			      cases[i].npairs, (int)cases[i].shape, errors.marked);
		assert_true(errors.marked <= most(cases[i].alpha, cases[i].times));
	}
}

/* An earlier attempt took the normal distribution's quantile: of 3 pairs that is far too narrow. */
static void intervals_hold_the_truth(void **state)
{
	enum { TIMES = 10000 };
	static const uint32_t npairs[] = { 2, 3, 4, 6, 15 };

	(void)state;
	for (size_t n = 0; n < COUNT(npairs); n++) {
		struct planted p = { NORMAL, -0.08, 0.03, npairs[n], 0.0, false };
		struct errors errors = repeat(&p, 0.05, TIMES);

		print_message("# %u pairs: %.4f do not hold it\n", npairs[n], errors.missed);
		assert_true(errors.missed <= most(0.05, TIMES));
		assert_true(errors.missed >= 0.04);
	}
}

static void intervals_hold_the_truth_after_an_early_end(void **state)
{
	struct planted p = { NORMAL, -0.02, 0.03, 30, 0.0, true };
	struct errors errors = repeat(&p, 0.05, 10000);

	(void)state;
	assert_true(errors.pairs < 25.0);
	assert_true(errors.missed <= most(0.05, 10000));
}

static void drift_cancels_out(void **state)
{
	enum { TIMES = 3000 };
	struct planted p = { NORMAL, 0.0, 0.01, 20, 0.05, true };

	(void)state;
	assert_true(repeat(&p, 0.0125, TIMES).marked <= most(0.0125, TIMES));
}

/* What is said to be found in 4 of 5 cases is found in 4 of 5 cases. */
static void detectable_is_detected(void **state)
{
	enum { TIMES = 5000 };
	static const uint32_t npairs[] = { 6, 12, 30 };

	(void)state;
	for (size_t n = 0; n < COUNT(npairs); n++) {
		double percent = pairs_detectable(0.02, npairs[n], 0.0125);
		struct planted p = { NORMAL, log1p(percent / 100.0), 0.02, npairs[n], 0.0, false };
		struct errors errors = repeat(&p, 0.0125, TIMES);

		print_message("# %.2f %% with %u pairs: %.3f\n", percent, npairs[n], errors.marked);
		assert_true(errors.marked > 0.75 && errors.marked < 0.86);
	}
}

static void large_changes_end_early(void **state)
{
	struct planted p = { NORMAL, log(0.5), 0.02, 30, 0.0, true };
	struct errors errors = repeat(&p, 0.0125, 1000);

	(void)state;
	assert_true(errors.marked == 1.0);
	assert_true(errors.pairs < 7.0);
}

static void equal_times_are_no_difference(void **state)
{
	struct planted p = { NORMAL, 0.0, 0.0, 8, 0.0, true };
	uint64_t seed = 1;
	uint32_t n;
	const struct plan plan = plan_looks(&p, 0.05);
	struct paired_total total = compare(&p, &plan, &n, &seed);

	(void)state;
	assert_int_equal(n, 8);
	assert_int_equal(total.verdict, VERDICT_NOISE);
	assert_true(total.low < 1.0 && total.high > 1.0);
}

static void what_cannot_be_compared(void **state)
{
	struct pair pair[3] = { 0 };

	(void)state;
	assert_false(pairs_compare(pair, 3, PAIRED_CPU, 0.05).known);
	assert_false(pairs_compare(pair, 0, PAIRED_CPU, 0.05).known);
	for (int k = 0; k < SIDES; k++)
		pair[0].seconds[k][PAIRED_CPU] = 1.0 + k;
	assert_true(pairs_compare(pair, 1, PAIRED_CPU, 0.05).known);
	assert_false(pairs_compare(pair, 1, PAIRED_CPU, 0.05).tested);
	assert_true(fabs(pairs_compare(pair, 1, PAIRED_CPU, 0.05).ratio - 2.0) < 1e-12);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bounds_of_two_looks),
		cmocka_unit_test(one_look_has_it_all),
		cmocka_unit_test(many_looks_keep_the_level),
		cmocka_unit_test(intervals_hold_the_truth),
		cmocka_unit_test(intervals_hold_the_truth_after_an_early_end),
		cmocka_unit_test(drift_cancels_out),
		cmocka_unit_test(detectable_is_detected),
		cmocka_unit_test(large_changes_end_early),
		cmocka_unit_test(equal_times_are_no_difference),
		cmocka_unit_test(what_cannot_be_compared),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
