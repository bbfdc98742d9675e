/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Integrals by functions within functions, a GNU extension of C.
 */
#include <stdio.h>
#include <stdlib.h>

typedef double function(double);

static double integrate(function *f, double from, double to, int steps)
{
	double h = (to - from) / steps, sum = 0;

	double middle(int i)
	{
		return f(from + (i + 0.5) * h);
	}

	for (int i = 0; i < steps; i++)
		sum += middle(i);
	return sum * h;
}

static double square(double x)
{
	return x * x;
}

static double area(double radius)
{
	double half_chord(double x)
	{
		return radius * radius - square(x);
	}

	return integrate(half_chord, -radius, radius, 1000);
}

static double volume(double height)
{
	double slice(double z)
	{
		return square(height - z);
	}

	return integrate(slice, 0, height, 1000);
}

int main(int argc, char **argv)
{
	int rounds = argc > 1 ? atoi(argv[1]) : 1;
	double sum = 0;

	for (int i = 0; i < 1000 * rounds; i++)
		sum += area(1 + i % 3) - volume(i % 5);
	printf("%.6f\n", sum);
	return 0;
}
