/* SPDX-License-Identifier: MIT */
/*
 * Which x86-64 instructions can be moved: run at another place, with the same effect, and without
 * anybody seeing where. So they are none whose place somebody may look at: no call, whose return
 * address would be another one, and nothing that may fault, since handlers of such signals look up
 * where that was. Of operands in memory there are those on the stack, which the function takes just
 * then, of the object itself, and in thread-local storage.
 *
 * What is not known is not moved. Pure; constant time.
 */
#ifndef CALLS_MOVES_H
#define CALLS_MOVES_H

#include <stdbool.h>
#include <stdint.h>

enum moves_why {
	MOVES_CAN,
	MOVES_IS_CALL,
	MOVES_IS_SHORT, /* a jump that leads no farther than 127 bytes */
	MOVES_FAULTS,   /* it has an operand in other memory */
	MOVES_UNKNOWN
};

struct move {
	enum moves_why why;
	bool ends;        /* what follows it is not run: a return, or a jump */
	uint8_t relative; /* where in it a 32-bit distance from its end is; 0: nowhere */
};

/* What is known of the instructions before. */
struct moves {
	bool framed; /* %rbp is the frame's */
};

/* Looks at an instruction of `length` bytes. */
struct move moves_look(struct moves *moves, const uint8_t *code, unsigned length);

/* The length of an instruction that does nothing, as they lie between functions, and whose n bytes,
 * or more, are at `code`; 0: it is another one. */
unsigned moves_padding(const uint8_t *code, unsigned n);

#endif
