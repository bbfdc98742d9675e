/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Routines for assembly.c by the System V calling convention. No label has a type or a size: that is
 * what they are here for. asm_local is a local label that is in the symbol table.
 */
	.text
	.globl	asm_sum
asm_sum:
	xorl	%eax, %eax
	testq	%rsi, %rsi
	je	2f
1:	movzbl	(%rdi), %edx
	addq	%rdx, %rax
	incq	%rdi
	decq	%rsi
	jne	1b
2:	ret

	.p2align 4
	.globl	asm_mix
asm_mix:
	movl	$5381, %eax
	testq	%rsi, %rsi
	je	2f
asm_local:
	movzbl	(%rdi), %edx
	imulq	$33, %rax, %rax
	addq	%rdx, %rax
	incq	%rdi
	decq	%rsi
	jne	asm_local
2:	ret

/* rbx: i, rbp: n, r12: visit */
	.p2align 4
	.globl	asm_for_each
asm_for_each:
	pushq	%rbx
	pushq	%rbp
	pushq	%r12
	movq	%rdi, %rbp
	movq	%rsi, %r12
	xorl	%ebx, %ebx
asm_loop:
	cmpq	%rbp, %rbx
	jae	asm_done
	movq	%rbx, %rdi
	call	*%r12
	incq	%rbx
	jmp	asm_loop
asm_done:
	popq	%r12
	popq	%rbp
	popq	%rbx
	ret

	.section .note.GNU-stack, "", @progbits
