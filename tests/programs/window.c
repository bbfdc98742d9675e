/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Measures itself in part: pauses the profile and goes on, with moncontrol().
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 40 };

extern int moncontrol(int mode);

static double a[N][N], b[N][N], c[N][N];

static double element(int seed, int row, int column)
{
	return (seed * 31 + row * 17 + column * 7) % 11 - 5;
}

static void fill(double m[N][N], int seed)
{
	for (int i = 0; i < N; i++)
		for (int j = 0; j < N; j++)
			m[i][j] = element(seed, i, j);
}

static double dot(int row, int column)
{
	double sum = 0;

	for (int k = 0; k < N; k++)
		sum += a[row][k] * b[k][column];
	return sum;
}

static void multiply(void)
{
	for (int i = 0; i < N; i++)
		for (int j = 0; j < N; j++)
			c[i][j] = dot(i, j);
}

static double trace(void)
{
	double sum = 0;

	for (int i = 0; i < N; i++)
		sum += c[i][i];
	return sum;
}

int main(int argc, char **argv)
{
	int rounds = argc > 1 ? atoi(argv[1]) : 1;
	double sum = 0;

	for (int i = 0; i < 400 * rounds; i++) {
		moncontrol(0);
		fill(a, i);
		fill(b, i + 1);
		moncontrol(i % 8 != 0);
		multiply();
		sum += trace();
	}
	moncontrol(1);
	printf("%.0f\n", sum);
	return 0;
}
