/* SPDX-License-Identifier: MIT */
/*
 * What gcc and clang call at the start of every function of a -pg program on x86-64.
 *
 *   mcount, _mcount   called after the prologue: self is the return address, the caller 8(%rbp)
 *   __fentry__        called first in the function: self is the return address, the caller 8(%rsp)
 *
 * Compilers assume that the call changes nothing, so everything but %r11 and the flags is preserved:
 * arguments, %rax (vector arguments of a variadic function), %r10 (static chain, and the argument
 * pointer of a function that realigns its stack), all vector and x87 state. The alignment of the
 * stack is unknown.
 *
 * Nearly all calls are counted here without a call of count_pair() (count.c): take the thread's
 * table, hash, look into the two cells of one cache line, add one in memory. The addition is one
 * instruction, so a signal handler of this thread cannot lose it, and no other thread writes there.
 * This path saves %rax below the stack pointer, in the 128 bytes that signal handlers leave alone.
 *
 * Frame of the slow path: 8(%rbp) self, 0 %rbp, -8 %rax, -16 %rcx, -24 %rdx, -32 %rsi, -40 %rdi,
 * -48 %r8, -56 %r9, -64 %r10, then aligned to 16.
 */
#include "count/layout.h"

	.text

	/* `from` is at 8(FRAME), with FRAME rbp or rsp. Counts and returns, or takes the slow path. */
	.macro count frame
	cmpb	$0, gmon_on(%rip)
	je	.Lreturn_\frame
	movq	%rax, -16(%rsp)
	movq	(%rsp), %r11
	movq	gmon_table@gottpoff(%rip), %rax
	rolq	$GMON_HASH_ROTATE, %r11
	movq	%fs:(%rax), %rax
	xorq	8(%\frame), %r11
	imulq	$GMON_HASH_FACTOR, %r11, %r11
	shrq	$GMON_HASH_SHIFT, %r11
	testq	%rax, %rax
	jz	.Lslow_\frame
	andq	GMON_TABLE_MASK(%rax), %r11
	addq	%rax, %r11
	look	\frame, .Lother_\frame
.Lreturn_\frame:
	ret
.Lother_\frame:
	/* Tables are aligned to 64 bytes: the other cell of the line differs in one bit. */
	xorq	$GMON_CELL_BYTES, %r11
	look	\frame, .Lslow_\frame
	ret
.Lslow_\frame:
	movq	8(%\frame), %r11
	jmp	.Lslowly
	.endm

	/* Adds 1 to the cell at %r11 + GMON_TABLE_CELLS if it is the pair's; otherwise jumps to ELSE. */
	.macro look frame, else
	movq	8(%\frame), %rax
	cmpq	%rax, GMON_TABLE_CELLS + GMON_CELL_FROM(%r11)
	jne	\else
	movq	(%rsp), %rax
	cmpq	%rax, GMON_TABLE_CELLS + GMON_CELL_SELF(%r11)
	jne	\else
	incq	GMON_TABLE_CELLS + GMON_CELL_COUNT(%r11)
	movq	-16(%rsp), %rax
	.endm

	.globl	mcount, _mcount
	.type	mcount, @function
	.type	_mcount, @function
	.p2align 6
mcount:
_mcount:
	.cfi_startproc
	endbr64
	count	rbp
	.cfi_endproc

	/* `from` is in %r11, the caller's %rax at -16(%rsp). */
.Lslowly:
	.cfi_startproc
	pushq	%rbp
	.cfi_adjust_cfa_offset 8
	.cfi_rel_offset %rbp, 0
	movq	%rsp, %rbp
	.cfi_def_cfa_register %rbp
	leaq	-8(%rsp), %rsp
	pushq	%rcx
	pushq	%rdx
	pushq	%rsi
	pushq	%rdi
	pushq	%r8
	pushq	%r9
	pushq	%r10
	andq	$-16, %rsp
	movq	%r11, %rdi
	movq	8(%rbp), %rsi
	call	__mcount_internal
	movq	-8(%rbp), %rax
	movq	-16(%rbp), %rcx
	movq	-24(%rbp), %rdx
	movq	-32(%rbp), %rsi
	movq	-40(%rbp), %rdi
	movq	-48(%rbp), %r8
	movq	-56(%rbp), %r9
	movq	-64(%rbp), %r10
	leave
	.cfi_def_cfa %rsp, 8
	ret
	.cfi_endproc
	.size	mcount, . - mcount
	.size	_mcount, . - _mcount

	/* Most of its code has a name that GNU gprof omits from its reports. */
	.globl	__fentry__
	.type	__fentry__, @function
	.type	__mcount, @function
	.p2align 6
__fentry__:
	.cfi_startproc
	endbr64
	.size	__fentry__, . - __fentry__
__mcount:
	count	rsp
	.cfi_endproc
	.size	__mcount, . - __mcount

	/* Programs that link this keep indirect branch tracking and shadow stacks. */
	.section .note.gnu.property, "a", @note
	.p2align 3
	.long	4, 16, 5
	.asciz	"GNU"
	.long	0xc0000002, 4, 3, 0
	.section .note.GNU-stack, "", @progbits
