/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * x86-64 functions that entered.c calls by pointer, for calls-entries.sh: those whose start must stay as it is, one for
 * each guard of runtime/calls/entries.h, and those whose start moves. Each returns 1 if all is as it should be.
 */
	.text
	.macro begin name
	.p2align 4
	.globl \name
	.hidden \name
	.type \name, @function
\name:
	.cfi_startproc
	.endm
	.macro end name
	.cfi_endproc
	.size \name, . - \name
	.endm

/* Its loop leads to its start: three rounds are one call. */
begin kept_loop
	addl $0x01000000, %edi
	cmpl $0x03000000, %edi
	jl kept_loop
	movl $1, %eax
	ret
end kept_loop

/* It jumps to its second instruction. */
begin kept_inner
	xorl %eax, %eax
	incl %eax
	cmpl $3, %eax
	jl kept_inner + 2
	movl $1, %eax
	ret
end kept_inner

/* Another function jumps to its second instruction, which a call of its start passes, too. */
begin kept_jumped
	xorl %eax, %eax
	orl $1, %eax
	nop
	ret
end kept_jumped
begin jumps
	movl $0, %eax
	jmp kept_jumped + 2
end jumps

/* Another function calls its second instruction. */
begin kept_called
	xorl %eax, %eax
	orl $1, %eax
	nop
	ret
end kept_called
begin calls
	movl $0, %eax
	call kept_called + 2
	ret
end calls

/* A table of distances leads there. */
begin kept_table
	xorl %eax, %eax
	incl %eax
	cmpl $3, %eax
	jge 1f
	leaq kept_distances(%rip), %rdx
	movslq 32(%rdx), %rcx
	addq %rdx, %rcx
	jmp *%rcx
.Lone:
1:	movl $1, %eax
	ret
end kept_table

	.skip 64, 0x90			/* there the table would lead, if it were distances from themselves */

/* A word of data leads there. */
begin kept_word
	xorl %eax, %eax
	incl %eax
	cmpl $3, %eax
	jge 1f
	jmp *kept_words(%rip)
1:	movl $1, %eax
	ret
end kept_word

/* Its switch by a table of addresses leads to its start. */
begin kept_switch
	addl $0x01000000, %edi
	cmpl $0x03000000, %edi
	jge 1f
	xorl %ecx, %ecx
	leaq kept_cases(%rip), %rdx
	jmp *(%rdx, %rcx, 8)
.Lother:
1:	movl $1, %eax
	ret
end kept_switch

/* It looks at its return addresses. */
begin kept_call
	call 1f
1:	popq %rdx
	leaq kept_call(%rip), %rcx
	subq %rcx, %rdx
	xorl %eax, %eax
	cmpl $5, %edx
	sete %al
	ret
end kept_call

/* It reads memory that may not be there: a handler knows the place, and goes on behind it. */
begin kept_fault
	movl (%rdi), %eax
	nop
	nop
	nop
	movl $1, %eax
	ret
end kept_fault

/* Too short, and there is no padding behind it. */
begin kept_short
	movb $1, %al
	ret
end kept_short
	.byte 0x48, 0xb8, 0x11, 0x12	/* what is here is not known */

/* Other objects may call its second instruction. */
begin kept_symbol
	xorl %eax, %eax
	.globl inside_symbol
	.type inside_symbol, @function
inside_symbol:
	orl $1, %eax
	nop
	ret
end kept_symbol

/* Code without an FDE jumps to its second instruction. */
begin kept_bare
	xorl %eax, %eax
	orl $1, %eax
	nop
	ret
end kept_bare
	.type bare_jump, @function
	.globl bare_jump
	.hidden bare_jump
bare_jump:
	movl $0, %eax
	jmp kept_bare + 2
	.size bare_jump, . - bare_jump

/* The part of a function, as its frame says: no call leads there. */
	.p2align 4
	.globl kept_part
	.hidden kept_part
	.type kept_part, @function
kept_part:
	.cfi_startproc
	.cfi_def_cfa_offset 16
	addq $8, %rsp
	.cfi_def_cfa_offset 8
	nop
	movl $1, %eax
	ret
end kept_part
begin enters_part
	subq $8, %rsp
	.cfi_adjust_cfa_offset 8
	jmp *part_pointer(%rip)
end enters_part

/* Its loop is in another part, which jumps back to its start. */
begin kept_back
	addl $0x01000000, %edi
	cmpl $0x03000000, %edi
	jl back_part
	movl $1, %eax
	ret
end kept_back
	.p2align 4
back_part:
	.cfi_startproc
	.cfi_def_cfa %rbp, 16
	nop
	jmp kept_back
	.cfi_endproc

/* From here on starts move. endbr64 stays. */
begin moved_marked
	endbr64
	leaq moved_marked(%rip), %rdx
	xorl %eax, %eax
	cmpl $0xfa1e0ff3, (%rdx)
	sete %al
	ret
end moved_marked

/* Operands relative to rip; a write with an operand behind it. */
begin moved_relative
	movl $77, written(%rip)
	xorl %eax, %eax
	cmpl $77, written(%rip)
	sete %al
	movl $0, written(%rip)
	ret
end moved_relative

/* A return with padding behind it. */
begin moved_tiny
	movb $1, %al
	ret
end moved_tiny
	.p2align 4

/* All of it is a jump, which is a call site, too. */
begin moved_jump
	.byte 0xe9			/* jmp, with 32 bits */
	.long moved_tiny - . - 4
end moved_jump
	.p2align 4
begin moved_if
	pushq %rbp
	.cfi_adjust_cfa_offset 8
	movq %rsp, %rbp
	xorl %eax, %eax
	movb $1, %al
	leave
	ret
end moved_if

/* All registers that may hold an argument are as the caller has them: their sum is 0x7ff. */
begin moved_registers
	subq $72, %rsp
	.cfi_adjust_cfa_offset 72
	pushq %rcx
	.cfi_adjust_cfa_offset 8
	addq %rdi, %rcx
	addq %rsi, %rcx
	addq %rdx, %rcx
	addq %r8, %rcx
	addq %r9, %rcx
	addq %r10, %rcx
	addq %r11, %rcx
	addq %rax, %rcx
	addq %rbx, %rcx
	addq %rbp, %rcx
	xorl %eax, %eax
	cmpq $0x7ff, %rcx
	sete %al
	popq %rcx
	.cfi_adjust_cfa_offset -8
	addq $72, %rsp
	.cfi_adjust_cfa_offset -72
	ret
end moved_registers

begin calls_moved_registers
	pushq %rbx
	.cfi_adjust_cfa_offset 8
	pushq %rbp
	.cfi_adjust_cfa_offset 8
	pushq %r12
	.cfi_adjust_cfa_offset 8
	movq %rdi, %r12
	movl $1, %edi
	movl $2, %esi
	movl $4, %edx
	movl $8, %ecx
	movl $16, %r8d
	movl $32, %r9d
	movl $64, %r10d
	movl $128, %r11d
	movl $256, %eax
	movl $512, %ebx
	movl $1024, %ebp
	call *%r12
	popq %r12
	.cfi_adjust_cfa_offset -8
	popq %rbp
	.cfi_adjust_cfa_offset -8
	popq %rbx
	.cfi_adjust_cfa_offset -8
	ret
end calls_moved_registers

	.section .rodata
	.p2align 2
kept_distances:
	.rept 8				/* so far that the entry is no distance from itself to there */
	.long .Lone - kept_distances
	.endr
	.long kept_table + 2 - kept_distances
	.long 0x7fffffff
	.section .data.rel.ro, "aw"
	.p2align 3
kept_words:
	.quad kept_word + 2
kept_cases:
	.quad kept_switch
	.quad .Lother
part_pointer:
	.quad kept_part
	.local written
	.comm written, 4, 4
	.section .note.GNU-stack, "", @progbits
