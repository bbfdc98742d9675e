/* SPDX-License-Identifier: MIT */
/*
 * A bounds-checked reader of call-frame information. A read past the end, or of memory that cannot
 * be read, is 0 and sets `bad`, which stays set. Sources of the format: Linux Standard Base,
 * "Exception Frames"; DWARF 5, 6.4 and 7.6.
 */
#ifndef UNWIND_EH_BYTES_H
#define UNWIND_EH_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/readable.h"

struct eh_bytes {
	struct readable *readable; /* NULL: nobody unloads the object, which is read as it is */
	uintptr_t key;             /* the fingerprint of the object */
	uintptr_t at, end;         /* what is left is in [at, end) */
	bool bad;
};

/* Skips n bytes and returns their address. 0: there are fewer. */
static inline uintptr_t eh_skip(struct eh_bytes *bytes, uint64_t n)
{
	uintptr_t at = bytes->at;

	if (n > bytes->end - at) {
		bytes->bad = true;
		bytes->at = bytes->end;
		return 0;
	}
	bytes->at += n;
	return at;
}

/* Copies n bytes of an object. False: they cannot be read. */
static inline bool eh_copy(struct readable *readable, uintptr_t key, uintptr_t from, uint8_t *to,
			   size_t n)
{
	if (readable)
		return readable_object(readable, key, from, to, n);
	readable_plainly(to, from, n);
	return true;
}

/* Reads an unsigned number of n bytes, 1 to 8, in the machine's byte order. */
static inline uint64_t eh_number(struct eh_bytes *bytes, unsigned n)
{
	uintptr_t from = eh_skip(bytes, n);
	uint64_t value = 0;
	uint8_t at[8];

	if (from && n == sizeof(uint32_t) && !bytes->readable)
		return readable_four_plainly(from);
	if (!from || !eh_copy(bytes->readable, bytes->key, from, at, n)) {
		bytes->bad = true;
		return 0;
	}
	for (unsigned i = 0; i < n; i++)
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
		value |= (uint64_t)at[i] << 8 * i;
#else
		value = value << 8 | at[i];
#endif
	return value;
}

static inline int64_t eh_signed(struct eh_bytes *bytes, unsigned n)
{
	unsigned unused = 64 - 8 * n;

	return (int64_t)(eh_number(bytes, n) << unused) >> unused;
}

static inline uint8_t eh_byte(struct eh_bytes *bytes)
{
	return (uint8_t)eh_number(bytes, 1);
}

/*
 * Reads a LEB128 number of at most 10 bytes. *sign gets the bits above the number's own, all ones
 * if it is negative.
 */
static inline uint64_t eh_leb_bits(struct eh_bytes *bytes, uint64_t *sign)
{
	uint64_t value = 0;
	uint8_t byte = 0x80;

	*sign = 0;
	for (unsigned shift = 0; shift < 70 && byte & 0x80; shift += 7) {
		byte = eh_byte(bytes);
		if (shift < 64)
			value |= (uint64_t)(byte & 0x7f) << shift;
		if (shift < 57 && byte & 0x40)
			*sign = ~(uint64_t)0 << (shift + 7);
		else
			*sign = 0;
	}
	if (byte & 0x80)
		bytes->bad = true;
	return value;
}

static inline uint64_t eh_leb(struct eh_bytes *bytes)
{
	uint64_t sign;

	return eh_leb_bits(bytes, &sign);
}

static inline int64_t eh_sleb(struct eh_bytes *bytes)
{
	uint64_t sign;
	uint64_t value = eh_leb_bits(bytes, &sign);

	return (int64_t)(value | sign);
}

#endif
