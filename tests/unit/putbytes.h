/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers in files made by hand. */
#ifndef PUTBYTES_H
#define PUTBYTES_H

#include "testing.h"

#include "model/target.h"

/* Puts a number of nbytes at a place in the `size` bytes of a file, in the target's order. */
static inline void put_bytes(unsigned char *file, size_t size, const struct target *target,
			     size_t at, unsigned nbytes, uint64_t value)
{
	assert_true(at + nbytes <= size);
	for (unsigned i = 0; i < nbytes; i++)
		file[at + (target->big_endian ? nbytes - 1 - i : i)] =
			(unsigned char)(value >> 8 * i);
}

#endif
