/* SPDX-License-Identifier: MIT */
/*
 * What gcc and clang call at the start of every function of a -pg program on little-endian 64-bit
 * PowerPC (ABI ELFv2).
 *
 *   _mcount   an ordinary call after the prologue, without argument: the link register is self
 *
 * Compilers treat it as a C call, so nothing has to be preserved. The function has stored its return
 * address in its caller's frame:
 *
 *   16(caller's r1)   the caller
 *   0(r1)             the caller's r1
 */
	.abiversion 2
	.text
	.globl	_mcount
	.type	_mcount, @function
	.p2align 5
_mcount:
	.cfi_startproc
	addis	2, 12, .TOC. - _mcount@ha
	addi	2, 2, .TOC. - _mcount@l
	.localentry _mcount, . - _mcount
	addis	5, 2, gmon_on@toc@ha
	lbz	5, gmon_on@toc@l(5)
	cmpwi	5, 0
	beqlr
	ld	3, 0(1)
	mflr	4
	ld	3, 16(3)
	b	__mcount_internal
	.cfi_endproc
	.size	_mcount, . - _mcount

	.section .note.GNU-stack, "", @progbits
