/* SPDX-License-Identifier: MIT */
/*
 * A program to profile: it evaluates a formula for many x, modulo a prime.
 *
 *   cc -pg -g -o formula formula.c
 *   ./formula                        leaves gmon.out
 *   gprof formula gmon.out
 *
 * In the flat profile, times() is on top: a leaf that does the work. The call graph divides its
 * time between power() and product(). sum(), product() and factor() call one another, for a formula
 * has parentheses: they are a cycle, reported as one. evaluate() is called by largest() three times
 * as often as by table(), which decides what each of them inherits.
 */
#include <ctype.h>
#include <stdint.h>
#include <stdio.h>

#define PRIME 2147483647u /* twice it fits 32 bits */

struct reader {
	const char *at; /* the rest of the formula */
	uint32_t x;
};

static uint32_t sum(struct reader *r);

/* a times b by doubling and adding, as if the machine had no multiplication. */
static uint32_t times(uint32_t a, uint32_t b)
{
	uint32_t result = 0;

	for (; b > 0; b >>= 1) {
		if (b & 1)
			result = (result + a) % PRIME;
		a = (a + a) % PRIME;
	}
	return result;
}

static uint32_t power(uint32_t base, uint32_t exponent)
{
	uint32_t result = 1;

	for (; exponent > 0; exponent >>= 1) {
		if (exponent & 1)
			result = times(result, base);
		base = times(base, base);
	}
	return result;
}

static uint32_t number(struct reader *r)
{
	uint32_t n = 0;

	while (isdigit((unsigned char)*r->at))
		n = 10 * n + (uint32_t)(*r->at++ - '0');
	return n;
}

/* x, a number or a sum in parentheses, with or without "^number" */
static uint32_t factor(struct reader *r)
{
	uint32_t value;

	if (*r->at == '(') {
		r->at++;
		value = sum(r);
		r->at++;
	} else if (*r->at == 'x') {
		r->at++;
		value = r->x;
	} else {
		value = number(r);
	}
	if (*r->at == '^') {
		r->at++;
		value = power(value, number(r));
	}
	return value;
}

static uint32_t product(struct reader *r)
{
	uint32_t value = factor(r);

	while (*r->at == '*') {
		r->at++;
		value = times(value, factor(r));
	}
	return value;
}

static uint32_t sum(struct reader *r)
{
	uint32_t value = product(r);

	while (*r->at == '+') {
		r->at++;
		value = (value + product(r)) % PRIME;
	}
	return value;
}

static uint32_t evaluate(const char *formula, uint32_t x)
{
	struct reader r = { formula, x };

	return sum(&r);
}

static void table(const char *formula, uint32_t n)
{
	for (uint32_t x = 0; x < n; x++) {
		uint32_t y = evaluate(formula, x);

		if (x % (n / 5) == 0)
			printf("%10u %10u\n", x, y);
	}
}

static uint32_t largest(const char *formula, uint32_t n)
{
	uint32_t best = 0;

	for (uint32_t x = 0; x < n; x++) {
		uint32_t y = evaluate(formula, x);

		if (y > best)
			best = y;
	}
	return best;
}

int main(void)
{
	const char *formula = "3*(x+1)^13+x*(x*(x+7)+19)*(2*x+1)";

	printf("%10s %s\n", "x", formula);
	table(formula, 150000);
	printf("largest: %u\n", largest(formula, 450000));
	return 0;
}
