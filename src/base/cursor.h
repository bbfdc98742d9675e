/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bounds-checked reading of bytes in either byte order; the only pointer arithmetic on input. */
#ifndef BASE_CURSOR_H
#define BASE_CURSOR_H

#include "base/diag.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/*
 * A position in `size` bytes at `start`, which the cursor does not own. `name` (the file) and
 * `diag` serve messages. After a first underflow `failed` stays set, every further read gives
 * zero, and nothing more is said: check once, after a group of reads.
 */
struct cursor {
	const unsigned char *start;
	size_t size, at;
	bool big_endian, failed;
	const char *name;
	struct diag *diag;
};

static inline size_t cursor_left(const struct cursor *c)
{
	return c->failed ? 0 : c->size - c->at;
}

/*
 * Returns true if n bytes are left. Else reports once that `what` is cut short, with file and
 * offset.
 */
bool cursor_need(struct cursor *c, uint64_t n, const char *what);

/* Returns the next n bytes; NULL if fewer are left, as cursor_need() reports. */
const unsigned char *cursor_take(struct cursor *c, uint64_t n, const char *what);

/* Skips a byte and the n bytes after it if all are left, and the byte is `tag`; else returns false.
 */
static inline bool cursor_skip_tagged(struct cursor *c, unsigned char tag, size_t n)
{
	if (cursor_left(c) <= n || c->start[c->at] != tag)
		return false;
	c->at += 1 + n;
	return true;
}

/* The value of nbytes bytes, 1, 2, 4 or 8, at p in the given order. */
static inline uint64_t cursor_bytes_uint(const unsigned char *p, unsigned nbytes, bool big_endian)
{
	bool swap = big_endian != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
	uint64_t u64;
	uint32_t u32;
	uint16_t u16;

	switch (nbytes) {
	case 8:
		memcpy(&u64, p, 8);
		return swap ? __builtin_bswap64(u64) : u64;
	case 4:
		memcpy(&u32, p, 4);
		return swap ? __builtin_bswap32(u32) : u32;
	case 2:
		memcpy(&u16, p, 2);
		return swap ? __builtin_bswap16(u16) : u16;
	default:
		return *p;
	}
}

/* Returns the next value of 1, 2, 4 or 8 bytes; 0 if it is cut short, as cursor_need() reports. */
static inline uint64_t cursor_uint(struct cursor *c, unsigned nbytes, const char *what)
{
	if (cursor_left(c) < nbytes) {
		cursor_need(c, nbytes, what);
		return 0;
	}
	c->at += nbytes;
	return cursor_bytes_uint(c->start + c->at - nbytes, nbytes, c->big_endian);
}

/* Implementations of cursor_uleb() and cursor_sleb() for numbers of any length. */
uint64_t cursor_long_uleb(struct cursor *c, const char *what);
int64_t cursor_long_sleb(struct cursor *c, const char *what);

/*
 * Whether the next number of variable length has one byte, as nearly all have, and that byte is
 * there.
 */
static inline bool cursor_has_short(const struct cursor *c)
{
	return cursor_left(c) > 0 && c->start[c->at] < 0x80;
}

/*
 * Returns the next number of variable length (LEB128, as in DWARF), unsigned or signed; 0 if it is
 * cut short, as cursor_need() reports. Bits above the 64th are lost.
 */
static inline uint64_t cursor_uleb(struct cursor *c, const char *what)
{
	return cursor_has_short(c) ? c->start[c->at++] : cursor_long_uleb(c, what);
}

static inline int64_t cursor_sleb(struct cursor *c, const char *what)
{
	int byte;

	if (!cursor_has_short(c))
		return cursor_long_sleb(c, what);
	byte = c->start[c->at++];
	return byte & 0x40 ? byte - 0x80 : byte;
}

#endif
