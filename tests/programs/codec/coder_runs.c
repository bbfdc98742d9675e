/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Run lengths: each run of equal bytes becomes its length and the byte.
 */
#include "codec.h"

static size_t step(const unsigned char *in, size_t n)
{
	size_t run = 1;

	while (run < n && run < 255 && in[run] == in[0])
		run++;
	return run;
}

static void put(unsigned char *out, unsigned char a, unsigned char b)
{
	out[0] = a;
	out[1] = b;
}

static size_t encode(const unsigned char *in, size_t n, unsigned char *out)
{
	size_t made = 0;

	for (size_t i = 0; i < n; made += 2) {
		size_t run = step(in + i, n - i);

		put(out + made, (unsigned char)run, in[i]);
		i += run;
	}
	return made;
}

static size_t decode(const unsigned char *in, size_t n, unsigned char *out)
{
	size_t made = 0;

	for (size_t i = 0; i + 1 < n; i += 2)
		for (unsigned left = in[i]; left > 0; left--)
			out[made++] = in[i + 1];
	return made;
}

const struct coder runs_coder = { "runs", encode, decode };
