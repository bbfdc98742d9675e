/* SPDX-License-Identifier: GPL-3.0-or-later */
/* p-values against those of tails.py, which uses whole numbers and mpmath; and what must be so. */
#include "testing.h"

#include "base/interval.h"
#include "base/p_values.h"

#include <math.h>

static double said(const char *line, double *wanted)
{
	unsigned long long n0, all0, n1, all1, freedom;
	double z, q;

	if (sscanf(line, "binomial %llu %llu %lf %lf", &n0, &n1, &q, wanted) == 4)
		return p_values_binomial(n0, n1, q, 0.5);
	if (sscanf(line, "shares %llu %llu %llu %llu %lf", &n0, &all0, &n1, &all1, wanted) == 5)
		return p_values_shares(n0, all0, n1, all1, 0.5);
	assert_int_equal(sscanf(line, "student %lf %llu %lf", &z, &freedom, wanted), 3);
	return interval_student_beyond(z, (uint32_t)freedom);
}

static void the_table(void **state)
{
	const char *dir = getenv("srcdir");
	char path[4096], line[256];
	unsigned n = 0;
	FILE *table;

	(void)state;
	snprintf(path, sizeof(path), "%s/tests/unit/tails.table", dir ? dir : ".");
	table = fopen(path, "r");
	assert_non_null(table);
	while (fgets(line, sizeof(line), table)) {
		double wanted, got;

		if (line[0] == '#')
			continue;
		got = said(line, &wanted);
		if (!(fabs(got - wanted) <= (line[1] == 't' ? 1e-12 : 1e-9 * wanted + 1e-290)))
			fail_msg("%.12g instead: %s", got, line);
		n++;
	}
	fclose(table);
	assert_int_equal(n, 212);
}

/* All counts of n events: what is likely adds up, and a side is as good as the other. */
static void sides_are_alike(void **state)
{
	(void)state;
	for (uint64_t n = 0; n <= 60; n++) {
		for (uint64_t k = 0; k <= n; k++) {
			double p = p_values_binomial(n - k, k, 0.3, 0.5);

			assert_true(p >= 0.0 && p <= 1.0);
			assert_true(fabs(p - p_values_binomial(k, n - k, 0.7, 0.5)) < 1e-12);
			p = p_values_shares(n - k, 70, k, 61, 0.5);
			assert_true(p >= 0.0 && p <= 1.0);
			assert_true(fabs(p - p_values_shares(k, 61, n - k, 70, 0.5)) < 1e-12);
		}
	}
}

static void nothing_differs_from_nothing(void **state)
{
	(void)state;
	assert_true(p_values_binomial(0, 0, 0.5, 0.5) == 1.0);
	assert_true(p_values_shares(0, 10, 0, 20, 0.5) == 1.0);
	assert_true(p_values_shares(10, 10, 20, 20, 0.5) == 1.0);
	assert_true(p_values_shares(0, 0, 3, 9, 0.5) == 1.0);
	/* All of a count's own probability: 2 (1/2)^5 of 0 among 5. */
	assert_true(fabs(p_values_binomial(5, 0, 0.5, 1.0) - 0.0625) < 1e-15);
	assert_true(fabs(p_values_binomial(5, 0, 0.5, 0.5) - 0.03125) < 1e-15);
	assert_true(interval_student_beyond(0.0, 7) == 1.0);
	assert_true(fabs(interval_student_beyond(-1.959963984540054, 1001) - 0.05) < 1e-12);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_table),
		cmocka_unit_test(sides_are_alike),
		cmocka_unit_test(nothing_differs_from_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
