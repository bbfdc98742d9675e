/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sends a picture of stripes through every coder and back.
 */
#include "codec.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIZE = 100000 };

static unsigned char picture[SIZE], coded[2 * SIZE], decoded[SIZE];

static void put(size_t at, unsigned char value)
{
	picture[at] = value;
}

static void paint(unsigned width)
{
	for (size_t i = 0; i < SIZE; i++)
		put(i, (unsigned char)(i / width * 37));
}

static size_t check(const struct coder *c)
{
	size_t n = c->encode(picture, SIZE, coded);

	if (c->decode(coded, n, decoded) != SIZE || memcmp(picture, decoded, SIZE) != 0) {
		fprintf(stderr, "%s is wrong\n", c->name);
		exit(1);
	}
	return n;
}

int main(int argc, char **argv)
{
	static const struct coder *const coders[] = { &runs_coder, &shift_coder, &delta_coder };
	int rounds = argc > 1 ? atoi(argv[1]) : 1;
	size_t total = 0;

	for (int i = 0; i < 24 * rounds; i++) {
		paint(3 + (unsigned)i);
		for (size_t c = 0; c < sizeof(coders) / sizeof(*coders); c++)
			total += check(coders[c]);
	}
	printf("%zu\n", total);
	return 0;
}
