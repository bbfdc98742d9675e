/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bounds-checked reading of bytes in either byte order; the only pointer arithmetic on input. */
#ifndef BASE_CURSOR_H
#define BASE_CURSOR_H

#include "base/diag.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

/* True if n bytes are left; else says once that `what` is cut short, with file and offset. */
bool cursor_need(struct cursor *c, uint64_t n, const char *what);

/* The next n bytes, or NULL as cursor_need() says. */
const unsigned char *cursor_take(struct cursor *c, uint64_t n, const char *what);

/* The next value of 1, 2, 4 or 8 bytes, or 0 as cursor_need() says. */
uint64_t cursor_uint(struct cursor *c, unsigned nbytes, const char *what);

/* The value of nbytes bytes at p in the given order. */
static inline uint64_t bytes_uint(const unsigned char *p, unsigned nbytes, bool big_endian)
{
	uint64_t value = 0;

	for (unsigned i = 0; i < nbytes; i++)
		value = value << 8 | p[big_endian ? i : nbytes - 1 - i];
	return value;
}

#endif
