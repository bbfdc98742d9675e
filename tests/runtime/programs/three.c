/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Three functions whose instructions take unlike times. The argument is how long, in seconds of
 * processor time. */
#include <stdio.h>
#include <stdlib.h>

#include "used.h"

enum { N = 1 << 14 };
static unsigned next[N];
static double cell[N];

__attribute__((noinline)) static double sums(double x)
{
	for (int i = 1; i < N - 1; i++)
		cell[i] = (cell[i - 1] + cell[i] * x + cell[i + 1]) / (i & 7 ? 3.5 : 4 * x);
	return cell[N / 2];
}

__attribute__((noinline)) static unsigned chase(unsigned at, unsigned n)
{
	unsigned odd = 0;

	while (n-- > 0) {
		at = next[at];
		if (at & 1)
			odd += at / 3;
		else
			odd ^= at;
	}
	return odd;
}

__attribute__((noinline)) static unsigned divisions(unsigned x, unsigned n)
{
	unsigned sum = 0;

	for (unsigned i = 1; i <= n; i++)
		sum += (x / i) ^ (x % (i + 7)) * 2654435761u;
	return sum;
}

int main(int argc, char **argv)
{
	double enough = argc > 1 ? atof(argv[1]) : 0.1;
	double x = 0;
	unsigned sum = 0;

	for (unsigned i = 0; i < N; i++) {
		next[i] = (i * 40503u + 12345u) % N;
		cell[i] = 1.0 + i;
	}
	while (used_lately(CLOCK_PROCESS_CPUTIME_ID) < enough) {
		x += sums(1.5);
		sum += chase(sum % N, 30000) + divisions(4000000000u - sum % 1000, 15000);
	}
	printf("%g %u\n", x, sum);
	return 0;
}
