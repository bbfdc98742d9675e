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
	.section .note.GNU-stack, "", @progbits
