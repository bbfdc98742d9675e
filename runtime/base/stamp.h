/* SPDX-License-Identifier: MIT */
/* The stamp of files, a checksum: FNV-1a with 64 bits, see gmon_ext.h. Linear. */
#ifndef BASE_STAMP_H
#define BASE_STAMP_H

#include <stddef.h>
#include <stdint.h>

#include <gmon_ext.h>

/*
 * Returns the stamp of some bytes with stamp `stamp` and n more bytes. The stamp of no bytes is
 * GMON_EXT_STAMP_START.
 */
static inline uint64_t stamp_add(uint64_t stamp, const void *bytes, size_t n)
{
	const unsigned char *byte = bytes;

	for (size_t i = 0; i < n; i++)
		stamp = (stamp ^ byte[i]) * GMON_EXT_STAMP_FACTOR;
	return stamp;
}

#endif
