/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers as text: whatever is not left to printf has to be what printf gives. */
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

static bool is_for_printf(double x)
{
	return !(x < 4503599627370496.0) || signbit(x);
}

static void check_fixed(double x)
{
	for (unsigned decimals = 1; decimals <= 2; decimals++) {
		char ours[NUMBER_BYTES + 1], theirs[400];
		size_t n = number_fixed(ours, x, decimals);

		ours[n] = '\0';
		if (is_for_printf(x)) {
			assert_int_equal(n, 0);
			continue;
		}
		snprintf(theirs, sizeof(theirs), "%.*f", (int)decimals, x);
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
	static const uint64_t numbers[] = { 0, 9, 10, 99, 100, UINT32_MAX, UINT64_MAX };

	(void)state;
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		char ours[NUMBER_BYTES + 1], theirs[NUMBER_BYTES + 1];

		ours[number_uint(ours, numbers[i])] = '\0';
		snprintf(theirs, sizeof(theirs), "%" PRIu64, numbers[i]);
		assert_string_equal(ours, theirs);
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
