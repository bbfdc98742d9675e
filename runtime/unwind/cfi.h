/* SPDX-License-Identifier: MIT */
/*
 * What call-frame information says about one instruction: how to find the caller's registers.
 * Source: DWARF 5, 6.4.2 and 6.4.3.
 */
#ifndef UNWIND_CFI_H
#define UNWIND_CFI_H

#include <stdbool.h>
#include <stdint.h>

#include <registers.h>

#include "unwind/ehframe.h"

enum cfi_kind {
	CFI_NONE,       /* nothing is known */
	CFI_OUTERMOST,  /* there is no caller */
	CFI_SIGNAL,     /* the kernel called; the interrupted context lies on the stack */
	CFI_REGISTER,   /* the frame ends at a register plus the offset */
	CFI_EXPRESSION, /* at what the expression says that is at the offset */
};

/* Where the caller's value of a register is: one of these, plus 8 times a number. */
enum cfi_place {
	CFI_KEPT,          /* in the register */
	CFI_LOST,          /* nowhere */
	CFI_AT_END,        /* in memory, number bytes from the frame's end */
	CFI_END,           /* it is the frame's end plus the number */
	CFI_IN,            /* in the register of that number of ours */
	CFI_AT_EXPRESSION, /* in memory, where the expression at the offset says */
	CFI_IS_EXPRESSION, /* it is what the expression at the offset says */
};

/* Offsets of expressions are from the object's `base`, and lead to their length. */
struct cfi_rule {
	uint8_t kind;   /* enum cfi_kind */
	int8_t number;  /* of ours: CFI_REGISTER's; -1: none of ours */
	bool exact;     /* the caller was interrupted; it has not called */
	int32_t offset; /* CFI_REGISTER's and CFI_EXPRESSION's */
	int32_t place[REGISTERS_KEPT];
};

static inline enum cfi_place cfi_place(int32_t place)
{
	return (enum cfi_place)(place & 7);
}

static inline int32_t cfi_number(int32_t place)
{
	return place >> 3;
}

enum { CFI_REMEMBERED = 8 };

/* Room for a run, too big for a handler's stack. */
struct cfi_room {
	struct cfi_rule first; /* by the CIE alone */
	struct cfi_rule saved[CFI_REMEMBERED];
};

/*
 * Runs the programs of pc's FDE. False: there is none, or it has an instruction that is unknown or
 * too large a number; the rule is CFI_NONE then.
 */
bool cfi_find(const struct eh_object *object, uintptr_t pc, struct cfi_rule *rule,
	      struct cfi_room *room);

#endif
