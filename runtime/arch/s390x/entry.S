/* SPDX-License-Identifier: MIT */
/*
 * What gcc and clang call at the start of every function of a -pg program on s390x.
 *
 *   _mcount, mcount   called before the prologue: r14 is self, the caller is at 8(r15)
 *   __fentry__        called by brasl r0: r0 is self, r14 the caller; it returns through r1, because
 *                     a branch to r0 does nothing
 *
 * Compilers assume that the call changes nothing but r1, r14 and the condition code (and r0, for
 * __fentry__), so r0 (static chain) and r2 to r5 are preserved. The C code that is called is compiled
 * without floating-point and vector registers.
 *
 * clang without -mfentry calls _mcount after the prologue and stores nothing at 8(r15): the caller is
 * then unknown. gcc's store comes right before its call, so that instruction is looked for.
 *
 *   208   r14 of the call
 *   160   r0 to r5 of the call
 *     0   save area for the C code, with the back chain
 */
#include "count/layout.h"

#define SAVED  160
#define RETURN 208
#define FRAME  216

	.text

	/* Leaves the old stack pointer in r1. */
	.macro enter
	lgr	%r1, %r15
	aghi	%r15, -FRAME
	.cfi_adjust_cfa_offset FRAME
	stg	%r1, 0(%r15)
	stmg	%r0, %r5, SAVED(%r15)
	.cfi_rel_offset %r0, SAVED
	stg	%r14, RETURN(%r15)
	.cfi_rel_offset %r14, RETURN
	.endm

	.macro leave
	lg	%r14, RETURN(%r15)
	.cfi_restore %r14
	lmg	%r0, %r5, SAVED(%r15)
	.cfi_restore %r0
	aghi	%r15, FRAME
	.cfi_adjust_cfa_offset -FRAME
	.endm

	.globl	_mcount, mcount
	.type	_mcount, @function
	.type	mcount, @function
	.p2align 5
_mcount:
mcount:
	.cfi_startproc
	larl	%r1, gmon_on
	cli	0(%r1), 0
	ber	%r14
	enter
	lg	%r2, 8(%r1)
	lgr	%r3, %r14
	/* stg %r14,8(%r15); brasl %r14,... */
	larl	%r4, .Lstore
	aghi	%r14, -12
	clc	0(6, %r4), 0(%r14)
	je	.Lcount
	lghi	%r2, GMON_FROM_UNKNOWN
.Lcount:
	brasl	%r14, __mcount_internal
	leave
	br	%r14
.Lstore:
	stg	%r14, 8(%r15)
	.cfi_endproc
	.size	_mcount, . - _mcount
	.size	mcount, . - mcount

	.globl	__fentry__
	.type	__fentry__, @function
	.p2align 5
__fentry__:
	.cfi_startproc
	.cfi_return_column %r0
	larl	%r1, gmon_on
	cli	0(%r1), 0
	lgr	%r1, %r0
	ber	%r1
	enter
	lgr	%r2, %r14
	lgr	%r3, %r0
	brasl	%r14, __mcount_internal
	leave
	lgr	%r1, %r0
	br	%r1
	.cfi_endproc
	.size	__fentry__, . - __fentry__

	.section .note.GNU-stack, "", @progbits
