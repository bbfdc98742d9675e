/* SPDX-License-Identifier: MIT */
/*
 * What gcc and clang call at the start of every function of a -pg program on 32-bit ARM (EABI), from
 * ARM and Thumb code.
 *
 *   __gnu_mcount_nc   gcc, and clang -meabi gnu: called after "push {lr}": lr is self, with the Thumb
 *                     bit; the pushed word is the caller. It takes that word back into lr and returns.
 *   mcount            clang else: an ordinary call after the prologue; lr is self, the caller is
 *                     beside the saved frame pointer, at r11 + 4, in Thumb code at r7 + 4
 *
 * gcc assumes that __gnu_mcount_nc changes nothing but the flags and ip; ip is preserved, too, as it is
 * the static chain. The C code that is called is compiled without floating-point registers. The
 * alignment of the stack is unknown. Compilers treat mcount as a C call.
 *
 *   sp of the call + 0   the caller; at the end self, which is popped into pc
 *                  - 4   self
 *                  - 8   r0
 *                  -28   r1 to r4, ip
 */
	.syntax unified
	.arm
	.text
	.cfi_sections .debug_frame

	.globl	__gnu_mcount_nc
	.type	__gnu_mcount_nc, %function
	.p2align 5
__gnu_mcount_nc:
	.fnstart
	.cantunwind
	.cfi_startproc
	push	{r0, lr}
	.cfi_adjust_cfa_offset 8
	.cfi_rel_offset r0, 0
	.cfi_rel_offset lr, 4
	ldr	r0, .Lon
.Lhere:
	ldrb	r0, [pc, r0]
	cmp	r0, #0
	bne	.Lcount
.Lreturn:
	ldr	lr, [sp, #8]
	ldr	r0, [sp, #4]
	str	r0, [sp, #8]
	.cfi_rel_offset lr, 8
	.cfi_remember_state
	ldr	r0, [sp], #8
	.cfi_adjust_cfa_offset -8
	.cfi_restore r0
	pop	{pc}
	.cfi_restore_state
	.cfi_rel_offset lr, 4

.Lcount:
	push	{r1, r2, r3, r4, ip}
	.cfi_adjust_cfa_offset 20
	.cfi_rel_offset r4, 12
	mov	r4, sp
	.cfi_def_cfa_register r4
	bic	sp, sp, #7
	ldr	r0, [r4, #28]
	ldr	r1, [r4, #24]
	bic	r1, r1, #1
	bl	__mcount_internal
	mov	sp, r4
	.cfi_def_cfa_register sp
	pop	{r1, r2, r3, r4, ip}
	.cfi_adjust_cfa_offset -20
	.cfi_restore r4
	b	.Lreturn
	.p2align 2
.Lon:
	.word	gmon_on - (.Lhere + 8)
	.cfi_endproc
	.fnend
	.size	__gnu_mcount_nc, . - __gnu_mcount_nc

	.globl	mcount
	.type	mcount, %function
	.p2align 4
mcount:
	.fnstart
	.cantunwind
	.cfi_startproc
	ldr	r0, .Lon2
.Lhere2:
	ldrb	r0, [pc, r0]
	cmp	r0, #0
	bxeq	lr
	tst	lr, #1
	ldreq	r0, [r11, #4]
	ldrne	r0, [r7, #4]
	bic	r1, lr, #1
	b	__mcount_internal
	.p2align 2
.Lon2:
	.word	gmon_on - (.Lhere2 + 8)
	.cfi_endproc
	.fnend
	.size	mcount, . - mcount

	.section .note.GNU-stack, "", %progbits
