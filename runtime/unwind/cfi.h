/* SPDX-License-Identifier: MIT */
/*
 * Call-frame information about one instruction: how to compute, from the registers of a frame, the
 * registers of its caller. Source: DWARF 5, 6.4.2 and 6.4.3.
 *
 * The canonical frame address (CFA) is the address from which the rules of a frame count. In
 *
 *     work:  push %rbp                          higher addresses
 *            mov  %rsp, %rbp          CFA ----> |                | the caller's stack pointer
 *            sub  $16, %rsp           CFA - 8   | return address |
 *            ...  <- pc               CFA - 16  | caller's %rbp  | <- %rbp
 *                                               | locals         |
 *                                               | locals         | <- %rsp
 *
 * the row for pc is
 *
 *     kind CFI_CFA_REGISTER, cfa_register %rbp, cfa_offset 16      CFA = %rbp + 16
 *     rule[return address]   CFI_OFFSET, -8                        in memory, at CFA - 8
 *     rule[%rbp]             CFI_OFFSET, -16                       in memory, at CFA - 16
 *     rule[%rsp]             CFI_VAL_OFFSET, 0                     is the CFA
 *     rule[others]           CFI_SAME_VALUE                        unchanged
 */
#ifndef UNWIND_CFI_H
#define UNWIND_CFI_H

#include <stdbool.h>
#include <stdint.h>

#include <registers.h>

#include "unwind/ehframe.h"

enum cfi_kind {
	CFI_NONE,           /* nothing is known about the instruction */
	CFI_OUTERMOST,      /* the frame has no caller */
	CFI_CFA_REGISTER,   /* the CFA is cfa_register plus cfa_offset */
	CFI_CFA_EXPRESSION, /* the CFA is the value of the expression at cfa_offset */
};

/* DWARF's register rules, for the caller's value of a register. Each has an operand. */
enum cfi_rule {
	CFI_SAME_VALUE,     /* the value of this frame */
	CFI_UNDEFINED,      /* not known any more */
	CFI_OFFSET,         /* in memory, at the CFA plus the operand */
	CFI_VAL_OFFSET,     /* the CFA plus the operand */
	CFI_REGISTER,       /* in the register with the operand as its number in registers.h */
	CFI_EXPRESSION,     /* in memory, at the value of the expression at the operand */
	CFI_VAL_EXPRESSION, /* the value of the expression at the operand */
};

/*
 * One row of the table that call-frame information describes. An expression is given by the
 * distance from the object's `base` to the LEB128 number of its bytes, before its first byte.
 */
struct cfi_row {
	uint8_t kind;        /* enum cfi_kind */
	int8_t cfa_register; /* a number in registers.h; -1: a register that has no number there */
	bool signal;         /* the caller was interrupted by a signal; it has called nothing */
	int32_t cfa_offset;
	int32_t rule[REGISTERS_KEPT]; /* enum cfi_rule plus 8 times the operand */
};

static inline enum cfi_rule cfi_rule(int32_t rule)
{
	return (enum cfi_rule)(rule & 7);
}

static inline int32_t cfi_operand(int32_t rule)
{
	return rule >> 3;
}

enum { CFI_REMEMBERED = 8 };

/* Memory that cfi_find() works in; too large for a signal handler's stack. */
struct cfi_scratch {
	struct cfi_row first; /* after the CIE's program */
	struct cfi_row saved[CFI_REMEMBERED];
};

/*
 * Computes the row for pc, by the programs of its CIE and FDE. Returns false, with kind CFI_NONE,
 * if pc has no FDE, or one with an unknown instruction, too large a number or more than
 * CFI_REMEMBERED remembered rows. The interrupted address of a signal's frame may have a column of
 * its own, besides that of the link register: then the rule of REGISTER_RA is CFI_UNDEFINED.
 */
bool cfi_find(const struct eh_object *object, struct readable *readable, uintptr_t pc,
	      struct cfi_row *row, struct cfi_scratch *scratch);

#endif
