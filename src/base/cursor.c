/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The bounds checks of all binary input. */
#include "config.h"

#include "base/cursor.h"

#include <inttypes.h>

bool cursor_need(struct cursor *c, uint64_t n, const char *what)
{
	if (c->failed)
		return false;
	if (c->size - c->at >= n)
		return true;
	diag_error(c->diag, "%s: %s cut short at byte %zu: %" PRIu64 " bytes needed, %zu left",
		   c->name, what, c->at, n, c->size - c->at);
	c->failed = true;
	return false;
}

const unsigned char *cursor_take(struct cursor *c, uint64_t n, const char *what)
{
	const unsigned char *p;

	if (!cursor_need(c, n, what))
		return NULL;
	p = c->start + c->at;
	c->at += (size_t)n;
	return p;
}

/*
 * Reads a number in groups of seven bits. Returns its bits; *bits gets their number, *negative the
 * sign bit of the last group.
 */
static uint64_t cursor_groups(struct cursor *c, const char *what, unsigned *bits, bool *negative)
{
	uint64_t value = 0, byte;

	*bits = 0;
	do {
		byte = cursor_uint(c, 1, what);
		if (*bits < 64)
			value |= (byte & 0x7f) << *bits;
		*bits += 7;
	} while (byte & 0x80);
	*negative = byte & 0x40;
	return value;
}

uint64_t cursor_long_uleb(struct cursor *c, const char *what)
{
	unsigned bits;
	bool negative;

	return cursor_groups(c, what, &bits, &negative);
}

int64_t cursor_long_sleb(struct cursor *c, const char *what)
{
	unsigned bits;
	bool negative;
	uint64_t value = cursor_groups(c, what, &bits, &negative);

	if (negative && bits < 64)
		value |= ~UINT64_C(0) << bits;
	return (int64_t)value;
}
