/* SPDX-License-Identifier: MIT */
/*
 * The hook of functions that are counted where they begin; see entries.h. Called by a stub, with the
 * function in %rax. On the stack are the return address into the stub, the caller's %rax, and the
 * caller's return address.
 *
 * Counts as mcount does (arch/x86_64/entry.S), but changes no register, and goes on when the
 * recording has ended: so do the stubs of sites.
 */
#include "count/layout.h"

	.macro save register
	pushq	%\register
	.cfi_adjust_cfa_offset 8
	.endm

	.macro restore_and_return
	popq	%rdx
	.cfi_adjust_cfa_offset -8
	popq	%rcx
	.cfi_adjust_cfa_offset -8
	popq	%r11
	.cfi_adjust_cfa_offset -8
	ret
	.endm

	.text
	.globl	calls_enter
	.hidden	calls_enter, entries_enter, gmon_on, gmon_table
	.type	calls_enter, @function
	.p2align 6
calls_enter:
	.cfi_startproc
	.cfi_def_cfa_offset 24
	endbr64
	cmpb	$0, 1 + gmon_on(%rip)
	je	.Lreturn
	save	r11
	save	rcx
	save	rdx
	movq	40(%rsp), %rcx
	movq	gmon_table@gottpoff(%rip), %rdx
	movq	%fs:(%rdx), %rdx
	testq	%rdx, %rdx
	jz	.Lslowly
	movq	%rax, %r11
	rolq	$GMON_HASH_ROTATE, %r11
	xorq	%rcx, %r11
	imulq	$GMON_HASH_FACTOR, %r11, %r11
	shrq	$GMON_HASH_SHIFT, %r11
	andq	GMON_TABLE_MASK(%rdx), %r11
	addq	%rdx, %r11
	cmpq	%rcx, GMON_TABLE_CELLS + GMON_CELL_FROM(%r11)
	jne	.Lother
	cmpq	%rax, GMON_TABLE_CELLS + GMON_CELL_SELF(%r11)
	je	.Lfound
.Lother:
	/* Tables are aligned to 64 bytes: the other cell of the line differs in one bit. */
	xorq	$GMON_CELL_BYTES, %r11
	cmpq	%rcx, GMON_TABLE_CELLS + GMON_CELL_FROM(%r11)
	jne	.Lslowly
	cmpq	%rax, GMON_TABLE_CELLS + GMON_CELL_SELF(%r11)
	jne	.Lslowly
.Lfound:
	incq	GMON_TABLE_CELLS + GMON_CELL_COUNT(%r11)
	restore_and_return
.Lreturn:
	ret

.Lslowly:
	.cfi_adjust_cfa_offset 24
	save	rbp
	.cfi_rel_offset %rbp, 0
	movq	%rsp, %rbp
	.cfi_def_cfa_register %rbp
	pushq	%rsi
	pushq	%rdi
	pushq	%r8
	pushq	%r9
	pushq	%r10
	andq	$-16, %rsp
	cld
	movq	%rcx, %rdi
	movq	%rax, %rsi
	call	entries_enter
	movq	-8(%rbp), %rsi
	movq	-16(%rbp), %rdi
	movq	-24(%rbp), %r8
	movq	-32(%rbp), %r9
	movq	-40(%rbp), %r10
	leave
	.cfi_def_cfa %rsp, 48
	.cfi_restore %rbp
	restore_and_return
	.cfi_endproc
	.size	calls_enter, . - calls_enter

	/* Programs that load this keep indirect branch tracking and shadow stacks. */
	.section .note.gnu.property, "a", @note
	.p2align 3
	.long	4, 16, 5
	.asciz	"GNU"
	.long	0xc0000002, 4, 3, 0
	.section .note.GNU-stack, "", @progbits
