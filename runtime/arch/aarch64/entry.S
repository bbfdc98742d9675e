/* SPDX-License-Identifier: MIT */
/*
 * What gcc and clang call at the start of every function of a -pg program on AArch64.
 *
 *   _mcount   an ordinary call after the prologue: x30 is self, x0 the caller, without signature
 *
 * Compilers treat it as a C call, so nothing has to be preserved. clang before 20 passes no argument:
 * x0 is then whatever the function's first argument was. If x0 is no code address of the program, the
 * caller is taken from the frame record, which both compilers write with -pg; it is read only if it
 * lies on the stack, less than NEAR bytes up.
 *
 *   x29 + 8   return address, perhaps signed
 *   x29       the caller's x29
 *   sp        the function's locals up to there
 */
#include "count/layout.h"

#define NEAR 0x800000

	.text
	.globl	_mcount
	.type	_mcount, %function
	.p2align 6
_mcount:
	.cfi_startproc
	hint	#34			/* bti c */
	adrp	x1, gmon_on
	ldrb	w1, [x1, #:lo12:gmon_on]
	cbz	w1, .Lreturn
	adrp	x2, gmon
	add	x2, x2, #:lo12:gmon
	ldp	x2, x3, [x2, #GMON_PROGRAM_LOW]
	mov	x1, x30
	sub	x3, x3, x2
	sub	x2, x0, x2
	cmp	x2, x3
	b.hs	.Lrecord
.Lcount:
	b	__mcount_internal
.Lreturn:
	ret

.Lrecord:
	mov	x3, sp
	sub	x3, x29, x3
	cmp	x3, #NEAR
	b.hs	.Lcount
	tst	x29, #7
	b.ne	.Lcount
	ldr	x30, [x29, #8]
	.cfi_register x30, x1
	hint	#7			/* xpaclri */
	mov	x0, x30
	mov	x30, x1
	.cfi_restore x30
	b	__mcount_internal
	.cfi_endproc
	.size	_mcount, . - _mcount

	/* Programs that link this keep branch target identification; no return address is stored here. */
	.section .note.gnu.property, "a", %note
	.p2align 3
	.word	4, 16, 5
	.asciz	"GNU"
	.word	0xc0000000, 4, 3, 0
	.section .note.GNU-stack, "", %progbits
