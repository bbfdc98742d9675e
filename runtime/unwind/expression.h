/* SPDX-License-Identifier: MIT */
/*
 * DWARF expressions, which call-frame information uses where a register plus an offset does not
 * suffice: in PLTs, in functions that align their stack, in hand-written assembly, in signal
 * frames. Source: DWARF 5, 2.5.
 */
#ifndef UNWIND_EXPRESSION_H
#define UNWIND_EXPRESSION_H

#include <stdbool.h>
#include <stdint.h>

#include <registers.h>

#include "base/readable.h"
#include "unwind/eh_bytes.h"

/* The registers of a frame, numbered as in the machine's registers.h. */
struct registers {
	uint64_t known;             /* bit 1 << number is set if the register's value is known */
	uint64_t sure;              /* the known registers whose values are not guesses, as bits */
	uintptr_t value[REGISTERS]; /* undefined where not known */
};

/*
 * Reads a register. Returns false if its value is not known, or if the number is negative. Sets
 * *guessed to true if the value is a guess.
 */
static inline bool expression_register_value(const struct registers *registers, int number,
					     uintptr_t *value, bool *guessed)
{
	if (number < 0 || !(registers->known >> number & 1))
		return false;
	*guessed |= !(registers->sure >> number & 1);
	*value = registers->value[number];
	return true;
}

/* An expression and what it reads. */
struct expression {
	struct eh_bytes bytes; /* the operations */
	const struct registers *registers;
	struct readable *readable;
	bool guessed; /* becomes true if it reads a register that is a guess */
};

/*
 * Evaluates an expression. *first, if `first` is not NULL, is on its stack at the start. False: it
 * has an unknown operation, runs more than 100 operations, needs more than 16 values at once, or
 * reads a register that is not known or memory that is not readable.
 */
bool expression_value(struct expression *expression, const uintptr_t *first, uintptr_t *value);

#endif
