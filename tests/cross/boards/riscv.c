/* SPDX-License-Identifier: MIT */
/* QEMU's RISC-V board "virt": the timer of the CLINT, a 16550 and a device that ends the emulator.
 */
#include "board.h"

#include "gmon_embedded.h"

#define REGISTER(address) (*(volatile uint32_t *)(address))

enum { MTIMECMP = 0x2004000, MTIME = 0x200bff8, UART = 0x10000000, FINISHER = 0x100000 };
enum { FINISHER_PASS = 0x5555, UART_LINE_STATE = 5, UART_IS_EMPTY = 0x20, CLOCK_MHZ = 10 };
enum { MIE_TIMER = 0x80, MSTATUS_MIE = 8 };

static unsigned period;

PLAIN __attribute__((naked, section(".vectors"), used)) void board_reset(void)
{
	__asm__ volatile(".option push\n\t.option norelax\n\t"
			 "la gp, __global_pointer$\n\t.option pop\n\t"
			 "la sp, stack_end\n\t"
			 "li s0, 0\n\t"
			 "la t0, bss_start\n\tla t1, bss_end\n"
			 "1:\tbgeu t0, t1, 2f\n\tsb zero, 0(t0)\n\taddi t0, t0, 1\n\tj 1b\n"
			 "2:\tcall main\n\tcall board_exit");
}

PLAIN static uint64_t board_time(void)
{
	uint32_t high = REGISTER(MTIME + 4), low = REGISTER(MTIME);

	if (REGISTER(MTIME + 4) != high)
		return board_time();
	return (uint64_t)high << 32 | low;
}

PLAIN static void board_set_alarm(uint64_t time)
{
	REGISTER(MTIMECMP + 4) = UINT32_MAX;
	REGISTER(MTIMECMP) = (uint32_t)time;
	REGISTER(MTIMECMP + 4) = (uint32_t)(time >> 32);
}

/* For board_trap. */
PLAIN void board_interrupt(uintptr_t pc, uintptr_t ra, uintptr_t stack, uintptr_t frame)
{
	board_set_alarm(board_time() + period);
#ifdef GMON_STACKS
	gmon_tick_stack(pc, ra, stack, frame);
#else
	(void)ra;
	(void)stack;
	(void)frame;
	gmon_tick(pc);
#endif
	on_tick();
}

void board_trap(void);

PLAIN void board_begin_timer(unsigned microseconds)
{
	period = microseconds * CLOCK_MHZ;
	board_set_alarm(microseconds > 0 ? board_time() + period : UINT64_MAX);
	__asm__ volatile("csrw mtvec, %0" ::"r"(board_trap));
	__asm__ volatile("csrw mie, %0" ::"r"(microseconds > 0 ? MIE_TIMER : 0));
	__asm__ volatile("csrsi mstatus, %0" ::"i"(MSTATUS_MIE));
}

PLAIN uint32_t board_read_clock(void)
{
	return REGISTER(MTIME) & 0xffffff;
}

PLAIN void board_send(char c)
{
	while (!(*(volatile unsigned char *)(uintptr_t)(UART + UART_LINE_STATE) & UART_IS_EMPTY))
		;
	*(volatile char *)(uintptr_t)UART = c;
}

PLAIN void board_exit(void)
{
	REGISTER(FINISHER) = FINISHER_PASS;
	for (;;)
		;
}
