/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers as text: they have to be what printf gives. */
#include "testing.h"

#include "base/number.h"

#include <inttypes.h>
#include <math.h>

static uint64_t next(uint64_t *seed)
{
	*seed ^= *seed << 13;
	*seed ^= *seed >> 7;
	*seed ^= *seed << 17;
	return *seed;
}

static double from_bits(uint64_t bits)
{
	double x;

	memcpy(&x, &bits, sizeof(x));
	return x;
}

static uint64_t to_bits(double x)
{
	uint64_t bits;

	memcpy(&bits, &x, sizeof(bits));
	return bits;
}

/* x * 2^-n */
static double halved(double x, unsigned n)
{
	return x * from_bits((uint64_t)(1023 - n) << 52);
}

static void check_fixed(double x)
{
	for (unsigned decimals = 1; decimals <= 2; decimals++) {
		static const int widths[] = { 0, 7, -7, NUMBER_COLUMNS };
		int width = widths[to_bits(x) % 4];
		char ours[NUMBER_ROOM + 1], theirs[400];

		*number_put_fixed(ours, x, width, decimals) = '\0';
		snprintf(theirs, sizeof(theirs), "%*.*f", width, (int)decimals, x);
		if (strcmp(ours, theirs) != 0)
			fail_msg("%a: \"%s\" instead of \"%s\"", x, ours, theirs);
	}
}

static void ties_and_bounds(void **state)
{
	(void)state;
	for (int i = 0; i < 100000; i++) {
		check_fixed(i / 8.0);
		check_fixed(i / 1000.0);
		check_fixed(from_bits(to_bits((i + 1) / 1000.0) - 1));
		check_fixed(4503599627370496.0 - i / 2.0);
	}
	check_fixed(0.0);
	check_fixed(-0.0);
	check_fixed(-1.0);
	check_fixed(-1e300);
	check_fixed(1.7976931348623157e308);
	check_fixed(-1.7976931348623157e308);
	check_fixed(5e-324);
	check_fixed(2.2250738585072014e-308);
	check_fixed(9.995);
	check_fixed(4503599627370496.0);
	check_fixed(HUGE_VAL);
	check_fixed(NAN);
}

static void random_values(void **state)
{
	uint64_t seed = 88172645463325252u;

	(void)state;
	for (int i = 0; i < 1000000; i++) {
		uint64_t bits = next(&seed);

		check_fixed(from_bits(bits));
		check_fixed(halved((double)(bits >> 11), (unsigned)(bits % 80)));
		check_fixed((double)(bits >> 40) / 100.0);
	}
}

static void whole_numbers(void **state)
{
	static const uint64_t numbers[] = { 0, 9, 10, 99, 100, 12345678, UINT32_MAX, UINT64_MAX };

	(void)state;
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		for (int width = -NUMBER_COLUMNS; width <= NUMBER_COLUMNS; width++) {
			char ours[NUMBER_ROOM + 1], theirs[NUMBER_ROOM];

			*number_put(ours, numbers[i], width) = '\0';
			snprintf(theirs, sizeof(theirs), "%*" PRIu64, width, numbers[i]);
			assert_string_equal(ours, theirs);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ties_and_bounds),
		cmocka_unit_test(random_values),
		cmocka_unit_test(whole_numbers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
