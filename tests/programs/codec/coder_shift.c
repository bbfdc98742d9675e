/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A key stream from a shift register, added and subtracted.
 */
#include "codec.h"

static unsigned step(unsigned state)
{
	return (state >> 1) ^ (-(state & 1u) & 0xb400u);
}

static void put(unsigned char *out, unsigned char a, unsigned char b)
{
	*out = (unsigned char)(a ^ b);
}

static size_t encode(const unsigned char *in, size_t n, unsigned char *out)
{
	unsigned state = 0xace1;

	for (size_t i = 0; i < n; i++) {
		state = step(state);
		put(out + i, in[i], (unsigned char)state);
	}
	return n;
}

static size_t decode(const unsigned char *in, size_t n, unsigned char *out)
{
	return encode(in, n, out);
}

const struct coder shift_coder = { "shift", encode, decode };
