/* SPDX-License-Identifier: MIT */
/*
 * What gcc and clang call at the start of every function of a -pg program on 64-bit RISC-V.
 *
 *   _mcount   an ordinary call after the prologue: ra is self, a0 the caller
 *
 * Compilers treat it as a C call, so nothing has to be preserved. clang before 20 passes no argument:
 * a0 is then whatever the function's first argument was. If a0 is no code address of the program, the
 * caller is looked for below s0, where clang stores the return address with -pg. gcc has no frame
 * pointer, and s0 can be anything: so memory is read only on the stack, less than NEAR bytes up, and
 * the value is taken only if it is a code address of the program.
 *
 *   s0        the stack pointer at the call of the function
 *   s0 - 8    return address
 *   s0 - 16   the caller's s0
 *   sp        the function's locals up to there
 */
#include "count/layout.h"

#define NEAR 0x800000

	.text
	.globl	_mcount
	.type	_mcount, @function
	.p2align 6
_mcount:
	.cfi_startproc
	lbu	t0, gmon_on
	beqz	t0, .Lreturn
	lla	t0, gmon
	ld	t1, GMON_PROGRAM_LOW(t0)
	ld	t2, GMON_PROGRAM_HIGH(t0)
	mv	a1, ra
	sub	t2, t2, t1
	sub	t0, a0, t1
	bgeu	t0, t2, .Lrecord
.Lcount:
	tail	__mcount_internal
.Lreturn:
	ret

.Lrecord:
	addi	t0, s0, -16
	sub	t0, t0, sp
	li	t3, NEAR
	bgeu	t0, t3, .Lcount
	andi	t0, s0, 7
	bnez	t0, .Lcount
	ld	t3, -8(s0)
	sub	t0, t3, t1
	bgeu	t0, t2, .Lcount
	mv	a0, t3
	tail	__mcount_internal
	.cfi_endproc
	.size	_mcount, . - _mcount

	.section .note.GNU-stack, "", @progbits
