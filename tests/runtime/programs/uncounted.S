/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * x86-64 code that calls.sh has left alone, one function for each guard of runtime/calls. Each calls `counted_once`,
 * which is exact only if all of them are counted. main() is in uncounted.c, and calls each that can run.
 */
	.text

/* Data between instructions: a byte that no instruction begins with. */
	.globl data_inside
	.type data_inside, @function
	.p2align 4
data_inside:
	.cfi_startproc
	jmp 1f
	.byte 0x06, 0x06, 0xe8
1:	subq $8, %rsp
	.cfi_adjust_cfa_offset 8
	call target_data
	addq $8, %rsp
	.cfi_adjust_cfa_offset -8
	ret
	.cfi_endproc
	.size data_inside, . - data_inside

/* Overlapping code: a jump into what looks like an operand. */
	.globl overlapping
	.type overlapping, @function
	.p2align 4
overlapping:
	.cfi_startproc
	subq $8, %rsp
	.cfi_adjust_cfa_offset 8
	jmp 1f + 2
1:	.byte 0x48, 0xb8		/* movabs, whose operand is the next 8 bytes */
	nop
	nop
	nop
	call target_overlap
	addq $8, %rsp
	.cfi_adjust_cfa_offset -8
	ret
	.cfi_endproc
	.size overlapping, . - overlapping

/* Its last instruction does not end where the FDE does. */
	.globl cut
	.type cut, @function
	.p2align 4
cut:
	.cfi_startproc
	subq $8, %rsp
	call target_cut
	addq $8, %rsp
	ret
	.byte 0x48, 0xb8
	.cfi_endproc
	.size cut, . - cut

/* A part of a function, as hand-made CFI says: its frame is not that of a call. What it jumps to is no call of it. */
	.globl part
	.type part, @function
	.p2align 4
part:
	.cfi_startproc
	.cfi_def_cfa_offset 16
	addq $8, %rsp
	.cfi_def_cfa_offset 8
	jmp target_part
	.cfi_endproc
	.size part, . - part
	.globl enters_part
	.type enters_part, @function
	.p2align 4
enters_part:
	.cfi_startproc
	subq $8, %rsp
	.cfi_adjust_cfa_offset 8
	jmp part
	.cfi_endproc
	.size enters_part, . - enters_part

/* Code without an FDE. */
	.globl bare
	.type bare, @function
	.p2align 4
bare:
	subq $8, %rsp
	call target_bare
	addq $8, %rsp
	ret
	.size bare, . - bare

/* A jump of 8 bits to another function. */
	.p2align 4
	.globl short_jump
	.type short_jump, @function
short_jump:
	.cfi_startproc
	jmp target_short
	.cfi_endproc
	.size short_jump, . - short_jump
	.p2align 4
	.globl target_short
	.hidden target_short
	.type target_short, @function
target_short:
	.cfi_startproc
	ret
	.cfi_endproc
	.size target_short, . - target_short

/* Data that look like an operand, and that the code reads at their address. */
	.globl data_read
	.type data_read, @function
	.p2align 4
data_read:
	.cfi_startproc
	xorl %eax, %eax
	cmpl $0x12345678, 3f(%rip)
	sete %al
	ret
	.byte 0xb8			/* mov, whose operand is the data */
3:	.long 0x12345678
	ret
	.cfi_endproc
	.size data_read, . - data_read

/* Data that look like a call, and whose address the code makes: they must not change. */
	.globl data_named
	.type data_named, @function
	.p2align 4
data_named:
	.cfi_startproc
	leaq 4f(%rip), %rdx
	movl 1(%rdx), %eax
	addq $5, %rdx
	movslq %eax, %rax
	addq %rax, %rdx			/* where it leads, if nobody has changed it */
	cmpl $0x90c3c031, (%rdx)	/* target_named */
	sete %al
	movzbl %al, %eax
	ret
4:	call target_named
	ret
	.cfi_endproc
	.size data_named, . - data_named

/* A jump into an operand, by a table of distances from its start. */
	.globl table_jump
	.type table_jump, @function
	.p2align 4
table_jump:
	.cfi_startproc
	subq $8, %rsp
	.cfi_adjust_cfa_offset 8
	leaq table(%rip), %rdx
	movslq (%rdx), %rax
	addq %rdx, %rax
	jmp *%rax
5:	.byte 0x48, 0xb8		/* movabs, whose operand is the next 8 bytes */
.Linto:
	nop
	nop
	nop
	call target_table
	addq $8, %rsp
	.cfi_adjust_cfa_offset -8
	ret
	.cfi_endproc
	.size table_jump, . - table_jump
	.section .rodata
	.p2align 2
table:	.long .Linto - table
/* A pointer relative to itself, behind something else. */
pointers:
	.long 0x7fffffff
	.long target_pointed - .
	.text

/* A call by such a pointer. */
	.globl calls_pointed
	.type calls_pointed, @function
	.p2align 4
calls_pointed:
	.cfi_startproc
	leaq pointers(%rip), %rdx
	movslq 4(%rdx), %rax
	leaq 4(%rdx, %rax), %rax
	jmp *%rax
	.cfi_endproc
	.size calls_pointed, . - calls_pointed

/* Calls with prefixes, as linkers and compilers make them. */
	.globl calls_prefixed
	.type calls_prefixed, @function
	.p2align 4
calls_prefixed:
	.cfi_startproc
	subq $8, %rsp
	.cfi_adjust_cfa_offset 8
	.byte 0x67
	call target_prefixed
	.byte 0x66, 0x66, 0x48		/* as before __tls_get_addr() */
	call target_prefixed
	addq $8, %rsp
	.cfi_adjust_cfa_offset -8
	ret
	.cfi_endproc
	.size calls_prefixed, . - calls_prefixed

/* Calls that are farther apart than the window's twelve bits say. */
	.globl calls_apart
	.type calls_apart, @function
	.p2align 4
calls_apart:
	.cfi_startproc
	subq $8, %rsp
	.cfi_adjust_cfa_offset 8
	call target_apart
	jmp 7f
	.skip 6000, 0x90
7:	call target_apart
	addq $8, %rsp
	.cfi_adjust_cfa_offset -8
	ret
	.cfi_endproc
	.size calls_apart, . - calls_apart

/* A branch past a lock prefix is meant. */
	.globl locks
	.type locks, @function
	.p2align 4
locks:
	.cfi_startproc
	subq $8, %rsp
	.cfi_adjust_cfa_offset 8
	cmpl $0, counter(%rip)
	je 6f + 1
6:	lock incl counter(%rip)
	call target_locked
	addq $8, %rsp
	.cfi_adjust_cfa_offset -8
	ret
	.cfi_endproc
	.size locks, . - locks
	.local counter
	.comm counter, 4, 4

	.macro target name
	.p2align 4
	.globl \name
	.hidden \name
	.type \name, @function
\name:
	.cfi_startproc
	ret
	.cfi_endproc
	.size \name, . - \name
	.endm

	.space 256, 0xcc
	target target_data
	target target_overlap
	target target_cut
	target target_part
	target target_bare
	target target_sure
	target target_table
	target target_pointed
	target target_prefixed
	target target_locked
	target target_apart
	.p2align 4
	.globl target_named
	.hidden target_named
	.type target_named, @function
target_named:
	.cfi_startproc
	xorl %eax, %eax
	ret
	nop
	.cfi_endproc
	.size target_named, . - target_named
	.section .note.GNU-stack, "", @progbits
