/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Each byte becomes its difference from the one before.
 */
#include "codec.h"

static unsigned char step(unsigned char now, unsigned char before)
{
	return (unsigned char)(now - before);
}

static void put(unsigned char *out, unsigned char value)
{
	*out = value;
}

static size_t encode(const unsigned char *in, size_t n, unsigned char *out)
{
	for (size_t i = 0; i < n; i++)
		put(out + i, step(in[i], i ? in[i - 1] : 0));
	return n;
}

static size_t decode(const unsigned char *in, size_t n, unsigned char *out)
{
	for (size_t i = 0; i < n; i++)
		put(out + i, (unsigned char)(in[i] + (i ? out[i - 1] : 0)));
	return n;
}

const struct coder delta_coder = { "delta", encode, decode };
