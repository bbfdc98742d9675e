/* SPDX-License-Identifier: MIT */
/* What x86_64 and i386 share. */
#ifndef X86_H
#define X86_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Whether a call instruction ends at an address. `end`: after a copy of the 8 bytes before it.
 * *target: the function that it calls, 0 if the call is indirect.
 */
static inline bool x86_called(const uint8_t *end, uintptr_t address, uintptr_t *target)
{
	static const uint8_t length[4][8] = { { 2, 2, 2, 2, 3, 6, 2, 2 },
					      { 3, 3, 3, 3, 4, 3, 3, 3 },
					      { 6, 6, 6, 6, 7, 6, 6, 6 },
					      { 2, 2, 2, 2, 2, 2, 2, 2 } };
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

/*
 * How many bytes of stack a function takes below its frame pointer: what it pushes and subtracts
 * in its first instructions, of which [code, end) is a copy, up to the first one that is not known
 * here. UINTPTR_MAX: it does not set up a frame pointer.
 */
static inline uintptr_t x86_room(const uint8_t *code, const uint8_t *end)
{
	uintptr_t room = UINTPTR_MAX;
	int32_t number;

	for (unsigned wide; end - code >= 8; code += wide) {
		wide = (*code & 0xf0) == 0x40 && sizeof(room) == 8; /* a prefix */
		code += wide;
		if ((code[0] & 0xf8) == 0x50) {
			room += room == UINTPTR_MAX ? 0 : sizeof(room);
			wide = 1;
		} else if (code[0] == 0x89 && code[1] == 0xe5) {
			room = 0;
			wide = 2;
		} else if (code[0] == 0x83 && code[1] == 0xec && room != UINTPTR_MAX) {
			room += code[2];
			wide = 3;
		} else if (code[0] == 0x81 && code[1] == 0xec && room != UINTPTR_MAX) {
			__builtin_memcpy(&number, code + 2, 4);
			room += (uintptr_t)(intptr_t)number;
			wide = 6;
		} else if (code[0] == 0xf3 && code[1] == 0x0f && code[2] == 0x1e) {
			wide = 4; /* endbr */
		} else if ((code[0] == 0x89 || code[0] == 0x8b || code[0] == 0x31) &&
			   code[1] >= 0xc0 && (code[1] & 7) != 4 && (code[1] >> 3 & 7) != 4) {
			wide = 2; /* mov or xor between registers */
		} else {
			break;
		}
	}
	return room;
}

/*
 * Whether a function that GCC has align its frame is about to return, and has restored all of its
 * caller's registers but the stack pointer: GCC's information still says of them where they were
 * saved, relative to the frame pointer, which is the caller's by then. `code`: a copy of
 * X86_RESTORED bytes.
 */
enum { X86_RESTORED = 5 };
static inline bool x86_restored(const uint8_t *code)
{
	enum { RETURN = 0xc3 };
	uint32_t word; /* of lea -8(%r10), %rsp; or of lea -4(%ecx), %esp; ret */

	__builtin_memcpy(&word, code, sizeof(word));
	return *code == RETURN || (sizeof(void *) == 8 ? word == 0xf8628d49U && code[4] == RETURN
						       : word == 0xc3fc618dU);
}

#endif
