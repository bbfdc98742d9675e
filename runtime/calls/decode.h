/* SPDX-License-Identifier: MIT */
/*
 * The lengths of x86-64 instructions, and where branches lead. Source: Intel 64 and IA-32
 * Architectures Software Developer's Manual, volume 2, chapter 2 and appendix A; AMD64 Architecture
 * Programmer's Manual, volume 3, for XOP.
 *
 * What a processor would refuse in 64-bit mode, and what is newer than the tables, is unknown: it
 * is never taken for something else. Pure; constant time.
 */
#ifndef CALLS_DECODE_H
#define CALLS_DECODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { DECODE_LONGEST = 15 };

enum decode_kind {
	DECODE_OTHER,
	DECODE_CALL,        /* E8: call rel32 */
	DECODE_JUMP,        /* E9: jmp rel32 */
	DECODE_JUMP_IF,     /* 0F 80 to 0F 8F: jcc rel32 */
	DECODE_SHORT,       /* jumps with 8 bits of distance, loop, jrcxz, xbegin */
	DECODE_CALL_MEMORY, /* FF /2 with an address relative to rip, without prefixes: 6 bytes */
	DECODE_JUMP_MEMORY, /* FF /4, the same */
	DECODE_CALL_OTHER,  /* any other FF /2, /3 */
	DECODE_JUMP_OTHER,  /* any other FF /4, /5 */
	DECODE_SETS_BASE    /* wrfsbase, wrgsbase */
};

struct decoded {
	uint8_t length;
	enum decode_kind kind;
	bool prefixed;   /* there are prefixes; those of a call or jump make it longer than usual */
	bool has_target; /* `target` is set: where a branch leads, the slot in which
			    DECODE_CALL_MEMORY and DECODE_JUMP_MEMORY find that, or the address that
			    lea relative to rip makes */
	bool has_value;  /* `value` is set: an immediate operand of 32 or 64 bits */
	bool has_memory; /* `memory` is set: the address of an operand in memory, or its 32 bits of
			    displacement, which is that address where there are no others */
	bool is_lea;     /* relative to rip */
	uintptr_t target, memory;
	uint64_t value;
};

/*
 * What follows an opcode that needs no more than one byte, or one after 0F (`escaped`). One letter:
 *   .  nothing           m  ModRM                x  unknown
 *   b  8 bits            B  ModRM, then 8 bits   w  16 bits        e  24 bits
 *   z  32 bits, or 16    Z  ModRM, then those    v  64, 32 or 16 bits
 *   j  8-bit distance    J  32-bit distance      a  an address
 *   6  as B, if ModRM's register is 0 or 1, else m             7  the same for Z
 */
char decode_shape(bool escaped, uint8_t opcode);

/*
 * Decodes the instruction whose n bytes, or more, are at `code`, and which runs at `address`.
 * False: it is unknown, or does not end before `code` + n.
 */
bool decode(struct decoded *decoded, const uint8_t *code, size_t n, uintptr_t address);

#endif
