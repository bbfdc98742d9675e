/* SPDX-License-Identifier: MIT */
/*
 * DWARF expressions, as call-frame information has them where a rule is no register and offset: in
 * PLTs, in functions that align their stack, in hand-written assembly, in signal frames. Source:
 * DWARF 5, 2.5.
 */
#ifndef UNWIND_EXPRESSION_H
#define UNWIND_EXPRESSION_H

#include <stdbool.h>
#include <stdint.h>

#include <registers.h>

#include "base/readable.h"
#include "unwind/eh_bytes.h"

/* The registers of a frame; those that are not `known` hold nothing of meaning. */
struct registers {
	uint64_t known; /* bit 1 << number */
	uint64_t sure;  /* among them, those that are no guess */
	uintptr_t value[REGISTERS];
};

/*
 * The value of a register by our number, or false: it is unknown, or none of ours. *guessed
 * becomes true if it is a guess.
 */
static inline bool registers_get(const struct registers *registers, int number, uintptr_t *value,
				 bool *guessed)
{
	if (number < 0 || !(registers->known >> number & 1))
		return false;
	*guessed |= !(registers->sure >> number & 1);
	*value = registers->value[number];
	return true;
}

/* What an expression is worked out with. */
struct expression {
	struct eh_bytes bytes;
	const struct registers *registers;
	struct readable *readable;
	bool guessed; /* set to true if a register was a guess */
};

/*
 * The value of an expression. `first`, if not NULL, is on its stack when it begins. False: it has
 * an unknown operation, more than 100 of them, more than 16 values at once, an unknown register or
 * memory that cannot be read.
 */
bool expression_value(struct expression *expression, const uintptr_t *first, uintptr_t *value);

#endif
