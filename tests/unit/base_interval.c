/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Quantiles against mpmath's, intervals of shares against those in print. */
#include "testing.h"

#include "base/interval.h"

#include <math.h>

static void near(double got, double wanted, double error)
{
	if (!(fabs(got - wanted) <= error))
		fail_msg("%.15g instead of %.15g", got, wanted);
}

static double relative(double error, double of)
{
	return error * (of > 1.0 ? of : 1.0);
}

/* sqrt(2) erfinv(level / 100), of mpmath with 30 digits; Python's NormalDist agrees. */
static void normal(void **state)
{
	static const struct {
		double level, z;
	} table[] = {
		{ 1, 0.01253346950806926 },   { 50, 0.6744897501960817 },
		{ 68.27, 1.000021713322999 }, { 80, 1.2815515655446 },
		{ 90, 1.644853626951473 },    { 95, 1.959963984540054 },
		{ 99, 2.575829303548901 },    { 99.73, 2.999976992703393 },
		{ 99.9, 3.290526731491895 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(table); i++)
		near(interval_normal(table[i].level), table[i].z, 1e-12);
}

/* Far out, too: by the NormalDist of Python, which is by Wichura (AS 241). */
static void beyond(void **state)
{
	(void)state;
	near(interval_normal_beyond(1.0), 0.0, 1e-12);
	near(interval_normal_beyond(0.05), 1.959963984540054, 1e-12);
	near(interval_normal_beyond(1e-10), 6.466951087240515, 1e-11);
	near(erfc(interval_normal_beyond(1e-300) / sqrt(2.0)) / 1e-300, 1.0, 1e-9);
}

/* The same of 1 - I(freedom / 2, 1 / 2, freedom / (freedom + t^2)) = level / 100. */
static void student(void **state)
{
	static const struct {
		double level;
		uint32_t freedom;
		double t;
	} table[] = {
		{ 50, 1, 1 },
		{ 95, 1, 12.7062047361747 },
		{ 99.9, 1, 636.6192487687196 },
		{ 50, 2, 0.816496580927726 },
		{ 95, 2, 4.302652729749464 },
		{ 99.9, 2, 31.59905457644362 },
		{ 50, 3, 0.7648923284043453 },
		{ 95, 3, 3.18244630528371 },
		{ 99.9, 3, 12.92397863668748 },
		{ 95, 4, 2.776445105197794 },
		{ 99.9, 5, 6.86882662588111 },
		{ 95, 9, 2.262157162798206 },
		{ 99.9, 10, 4.586893858702636 },
		{ 95, 29, 2.045229642132704 },
		{ 95, 99, 1.984216951586417 },
		{ 99.9, 100, 3.39049131116423 },
		{ 50, 1000, 0.6747351646070094 },
		{ 99.9, 1000, 3.300282648423913 },
		{ 95, 1001, 1.96233670528088 },
		{ 99.9, 1001, 3.300272876066009 },
		{ 95, 5000, 1.960438551706508 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(table); i++)
		near(interval_student(table[i].level, table[i].freedom), table[i].t,
		     relative(1e-9, table[i].t));
	near(interval_student(95, UINT32_MAX), interval_normal(95), 1e-8);
}

static void share_is(double n, double all, double level, double low, double high, double error)
{
	struct interval i = interval_share(n, all, interval_normal(level));

	near(i.low, low, error);
	near(i.high, high, error);
}

/* The first three as in print, the others by mpmath. */
static void shares(void **state)
{
	(void)state;
	share_is(0, 10, 95, 0, 0.278, 0.0005);
	share_is(1, 10, 95, 0.018, 0.404, 0.0005);
	share_is(5, 10, 95, 0.237, 0.763, 0.0005);
	share_is(500, 1204, 95, 0.387760561491548, 0.4433430999118447, 1e-14);
	share_is(150, 1204, 99.9, 0.09657375177442841, 0.1592877176441843, 1e-14);
	share_is(1, 1e6, 95, 1.765245767453715e-7, 5.664911804311443e-6, 1e-14);
	share_is(999999, 1e6, 50, 0.9999980607196647, 0.999999484345029, 1e-14);
	share_is(1e9, 1e13, 95, 9.999380255161377e-5, 0.0001000061978324553, 1e-14);
}

/* Whatever is asked: numbers, in order, within [0, 1], around the share, alike from both sides. */
static void bounds(void **state)
{
	static const double levels[] = { 50, 95, 99.9 };
	static const double alls[] = { 0, 0.5, 1, 2, 10, 1204, 1e6 + 1, 1e15, 9e18 };

	(void)state;
	for (size_t l = 0; l < COUNT(levels); l++) {
		double z = interval_normal(levels[l]);

		for (size_t a = 0; a < COUNT(alls); a++) {
			for (unsigned part = 0; part <= 8; part++) {
				double all = alls[a], n = all * part / 8.0;
				struct interval i = interval_share(n, all, z);
				struct interval rest = interval_share(all - n, all, z);

				assert_true(i.low >= 0.0 && i.low <= i.high && i.high <= 1.0);
				assert_true(all == 0.0 || (i.low <= n / all && n / all <= i.high));
				assert_true(part > 0 || i.low == 0.0);
				assert_true(part < 8 || i.high == 1.0);
				near(rest.low, 1.0 - i.high, 1e-15);
			}
		}
	}
}

static void weights(void **state)
{
	(void)state;
	near(interval_effective(0, 0), 0, 0);
	near(interval_effective(7, 7), 7, 0);
	near(interval_effective(4 * 25, 4 * 4 * 25), 25, 1e-12);
	near(interval_effective(1 + 3, 1 + 9), 1.6, 1e-12);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(normal), cmocka_unit_test(beyond), cmocka_unit_test(student),
		cmocka_unit_test(shares), cmocka_unit_test(bounds), cmocka_unit_test(weights),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
