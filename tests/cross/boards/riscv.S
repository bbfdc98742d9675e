/* SPDX-License-Identifier: MIT */
/* void board_trap(void): an interrupt; board_interrupt(mepc, ra, sp, s0) as these were. */
#if __riscv_xlen == 64
#define STORE sd
#define LOAD  ld
#define WORD  8
#else
#define STORE sw
#define LOAD  lw
#define WORD  4
#endif

/* The registers that functions of C do not save. */
.macro each what
	n = 0
	.irp reg, ra, t0, t1, t2, t3, t4, t5, t6, a0, a1, a2, a3, a4, a5, a6, a7
	\what \reg, n * WORD(sp)
	n = n + 1
	.endr
.endm

	.text
	.balign 4
	.globl board_trap
	.type board_trap, %function
board_trap:
	addi sp, sp, -16 * WORD
	each STORE
	csrr a0, mepc
	mv a1, ra
	addi a2, sp, 16 * WORD
	mv a3, s0
	call board_interrupt
	each LOAD
	addi sp, sp, 16 * WORD
	mret
	.size board_trap, . - board_trap
