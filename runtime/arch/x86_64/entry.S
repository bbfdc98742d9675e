/* SPDX-License-Identifier: MIT */
/*
 * What gcc and clang call at the start of every function of a -pg program on x86-64.
 *
 *   mcount, _mcount   called after the prologue: self is the return address, the caller 8(%rbp)
 *   __fentry__        called first in the function: self is the return address, the caller 8(%rsp)
 *
 * The compiler believes that the call changes nothing, so everything but %r11 and the flags is
 * kept: arguments, %rax (vector arguments of a variadic function), %r10 (static chain, and the
 * argument pointer of a function that realigns its stack), all vector and x87 state. The stack's
 * alignment is unknown.
 *
 * The way without a branch is the whole of gmon_count (table.h) in twenty instructions: take the
 * thread's table, hash, look into the two cells of one cache line, add one in memory. The addition
 * is one instruction, so a signal handler in this thread cannot lose it, and nobody else writes here.
 *
 *   stack on the way:  %rcx  %rdx  %rax  self  ...
 */
#include "layout.h"

	.text

	.macro keep reg
	pushq	\reg
	.cfi_adjust_cfa_offset 8
	.endm

	.macro bring reg
	popq	\reg
	.cfi_adjust_cfa_offset -8
	.endm

	.globl	mcount, _mcount
	.type	mcount, @function
	.type	_mcount, @function
	.p2align 6
mcount:
_mcount:
	.cfi_startproc
	endbr64
	cmpb	$0, gmon_on(%rip)
	je	.Lreturn
	keep	%rax
	keep	%rdx
	keep	%rcx
	movq	8(%rbp), %rax
	movq	24(%rsp), %rdx
.Lcount:
	movq	gmon_table@gottpoff(%rip), %r11
	movq	%rdx, %rcx
	movq	%fs:(%r11), %r11
	rolq	$GMON_HASH_ROTATE, %rcx
	xorq	%rax, %rcx
	imulq	$GMON_HASH_FACTOR, %rcx, %rcx
	shrq	$GMON_HASH_SHIFT, %rcx
	testq	%r11, %r11
	jz	.Lslow
	andq	GMON_TABLE_MASK(%r11), %rcx
	addq	%r11, %rcx
	cmpq	%rax, GMON_TABLE_CELLS + GMON_CELL_FROM(%rcx)
	jne	.Lsecond
	cmpq	%rdx, GMON_TABLE_CELLS + GMON_CELL_SELF(%rcx)
	jne	.Lsecond
	incq	GMON_TABLE_CELLS + GMON_CELL_COUNT(%rcx)
	.cfi_remember_state
	bring	%rcx
	bring	%rdx
	bring	%rax
.Lreturn:
	ret
	.cfi_restore_state

.Lsecond:
	/* Tables are aligned to 64 bytes: the other cell of the line differs in one bit. */
	xorq	$GMON_CELL_BYTES, %rcx
	cmpq	%rax, GMON_TABLE_CELLS + GMON_CELL_FROM(%rcx)
	jne	.Lslow
	cmpq	%rdx, GMON_TABLE_CELLS + GMON_CELL_SELF(%rcx)
	jne	.Lslow
	incq	GMON_TABLE_CELLS + GMON_CELL_COUNT(%rcx)
	.cfi_remember_state
	bring	%rcx
	bring	%rdx
	bring	%rax
	ret
	.cfi_restore_state

.Lslow:
	keep	%rbp
	.cfi_rel_offset %rbp, 0
	movq	%rsp, %rbp
	.cfi_remember_state
	.cfi_def_cfa_register %rbp
	pushq	%rsi
	pushq	%rdi
	pushq	%r8
	pushq	%r9
	pushq	%r10
	andq	$-16, %rsp
	movq	%rax, %rdi
	movq	%rdx, %rsi
	call	__mcount_internal
	movq	-8(%rbp), %rsi
	movq	-16(%rbp), %rdi
	movq	-24(%rbp), %r8
	movq	-32(%rbp), %r9
	movq	-40(%rbp), %r10
	movq	%rbp, %rsp
	.cfi_restore_state
	bring	%rbp
	.cfi_restore %rbp
	bring	%rcx
	bring	%rdx
	bring	%rax
	ret
	.cfi_endproc

	.globl	__fentry__
	.type	__fentry__, @function
	.p2align 4
__fentry__:
	.cfi_startproc
	endbr64
	cmpb	$0, gmon_on(%rip)
	je	.Lreturn
	keep	%rax
	keep	%rdx
	keep	%rcx
	movq	32(%rsp), %rax
	movq	24(%rsp), %rdx
	jmp	.Lcount
	.cfi_endproc
	.size	__fentry__, . - __fentry__
	.size	mcount, __fentry__ - mcount
	.size	_mcount, __fentry__ - _mcount

	/* Indirect branch tracking and shadow stacks stay on in a program that links this. */
	.section .note.gnu.property, "a", @note
	.p2align 3
	.long	4, 16, 5
	.asciz	"GNU"
	.long	0xc0000002, 4, 3, 0
	.section .note.GNU-stack, "", @progbits
