/* SPDX-License-Identifier: MIT */
/*
 * Bytes of code that were not decoded: what lies between functions, and functions that were
 * dropped. Any four of them may be a distance or an address, so the functions to which these would
 * lead are marked as partly counted.
 */
#ifndef CALLS_SUSPECTS_H
#define CALLS_SUSPECTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "calls/code.h"

/* Whether four bytes at an address may be a distance from the address after them: they follow the
 * opcode of a call or jump, or a ModRM byte that says so. Reads two bytes before them. */
static inline bool suspects_may_be_distance(uintptr_t at)
{
	const uint8_t *bytes = (const uint8_t *)at;

	return (bytes[-1] & 0xfe) == 0xe8 || (bytes[-1] & 0xc7) == 0x05 ||
	       (bytes[-2] == 0x0f && (bytes[-1] & 0xf0) == 0x80);
}

/* Looks at what lies between a function, of that number, and the one before, or the start of its
 * segment of code. To be called when the function is about to be decoded: then its bytes are
 * near. */
void suspects_before(const struct code *code, size_t number);

/* Looks at functions that were dropped, and at what is behind the last function of each segment.
 * Returns how many functions were dropped. */
uint32_t suspects_left(const struct code *code);

#endif
