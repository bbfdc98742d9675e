/* SPDX-License-Identifier: MIT */
/* What the machines of 32 and 64 bits have in common. */
#ifndef X86_H
#define X86_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Whether the instruction before an address is a call. The bytes from 8 before are read. *target:
 * where it goes, or 0 if the instruction does not say.
 */
static inline bool x86_called(uintptr_t address, uintptr_t *target)
{
	static const uint8_t length[4][8] = { { 2, 2, 2, 2, 3, 6, 2, 2 },
					      { 3, 3, 3, 3, 4, 3, 3, 3 },
					      { 6, 6, 6, 6, 7, 6, 6, 6 },
					      { 2, 2, 2, 2, 2, 2, 2, 2 } };
	const uint8_t *end = (const uint8_t *)address;
	int32_t distance;

	__builtin_memcpy(&distance, end - 4, 4);
	*target = 0;
	if (end[-5] == 0xe8) {
		*target = address + (uintptr_t)(intptr_t)distance;
		return true;
	}
	for (int n = 2; n <= 7; n++)
		if (end[-n] == 0xff && (end[1 - n] >> 3 & 7) == 2 &&
		    length[end[1 - n] >> 6][end[1 - n] & 7] == n)
			return true;
	return false;
}

#endif
