/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Quantiles are found by bisection where a formula gives the probability: slow, but without a table
 * of constants that could be wrong.
 */
#include "config.h"

#include "base/interval.h"

#include <math.h>

enum { HALVINGS = 64 /* more than the bits of a double */, MOST_FREEDOM = 1000 };

double interval_normal(double level)
{
	return interval_normal_beyond((100.0 - level) / 100.0);
}

double interval_normal_beyond(double p)
{
	double low = 0.0, high = 40.0;

	for (unsigned i = 0; i < HALVINGS; i++) {
		double middle = (low + high) / 2.0;

		if (erfc(middle * M_SQRT1_2) > p)
			low = middle;
		else
			high = middle;
	}
	return (low + high) / 2.0;
}

/*
 * The probability that |t| is at most sqrt(freedom) times the tangent of an angle: a finite sum for
 * whole degrees of freedom (Abramowitz and Stegun, 26.7.3 and 26.7.4).
 */
static double interval_student_within(double angle, uint32_t freedom)
{
	double c = cos(angle), s = sin(angle);
	double term = freedom % 2 ? s * c : s, sum = 0.0;

	for (uint32_t k = freedom % 2; k + 2 <= freedom; k += 2) {
		sum += term;
		term *= c * c * (k + 1) / (k + 2);
	}
	return freedom % 2 ? M_2_PI * (angle + sum) : sum;
}

double interval_student_beyond(double t, uint32_t freedom)
{
	double within;

	if (freedom > MOST_FREEDOM)
		return erfc(fabs(t) * M_SQRT1_2);
	within = interval_student_within(atan(fabs(t) / sqrt(freedom)), freedom);
	return within < 1.0 ? 1.0 - within : 0.0;
}

/* Terms of its expansion for many degrees of freedom (the same, 26.7.5). */
static double interval_student_many(double z, double freedom)
{
	double z2 = z * z, first = z * (z2 + 1) / 4, second = z * ((5 * z2 + 16) * z2 + 3) / 96;
	double third = z * (((3 * z2 + 19) * z2 + 17) * z2 - 15) / 384;

	return z + (first + (second + third / freedom) / freedom) / freedom;
}

double interval_student(double level, uint32_t freedom)
{
	double share = level / 100.0, low = 0.0, high = M_PI_2;

	if (freedom > MOST_FREEDOM)
		return interval_student_many(interval_normal(level), freedom);
	for (unsigned i = 0; i < HALVINGS; i++) {
		double middle = (low + high) / 2.0;

		if (interval_student_within(middle, freedom) < share)
			low = middle;
		else
			high = middle;
	}
	return sqrt(freedom) * tan((low + high) / 2.0);
}

struct interval interval_share(double n, double all, double z)
{
	double centre = n + z * z / 2, half, scale = all + z * z;

	if (!(all > 0.0))
		return (struct interval){ 0.0, 1.0 };
	half = z * sqrt(n * (all - n) / all + z * z / 4);
	/* At 0 and at n the ends are exact, without rounding errors. */
	return (struct interval){ n > 0.0 && centre > half ? (centre - half) / scale : 0.0,
				  n < all && centre + half < scale ? (centre + half) / scale
								   : 1.0 };
}

double interval_effective(double sum, double squares)
{
	return squares > 0.0 ? sum * sum / squares : 0.0;
}
