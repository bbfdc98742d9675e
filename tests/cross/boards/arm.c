/* SPDX-License-Identifier: MIT */
/* Arm's MPS2 boards: a Cortex-M3 (an385) or M7 (an500) with SysTick and the UART of the CMSDK. */
#include "board.h"

#include "gmon_embedded.h"

#define REGISTER(address) (*(volatile uint32_t *)(address))

enum { UART_DATA = 0x40004000, UART_STATE = 0x40004004, UART_CTRL = 0x40004008 };
enum { UART_DIVISOR = 0x40004010, UART_IS_FULL = 1, UART_SENDS = 1 };
enum { SYST_CSR = 0xe000e010, SYST_RVR = 0xe000e014, SYST_CVR = 0xe000e018 };
enum { SYST_ON = 1, SYST_INTERRUPTS = 2, SYST_OF_PROCESSOR = 4, SYST_MOST = 0xffffff };
enum { CLOCK_MHZ = 25 };

extern uint32_t bss_start[], bss_end[];

PLAIN void board_reset(void)
{
	for (volatile uint32_t *at = bss_start; at < bss_end; at++)
		*at = 0;
	REGISTER(UART_DIVISOR) = 16;
	REGISTER(UART_CTRL) = UART_SENDS;
	main();
	board_exit();
}

PLAIN void board_interrupt(const uint32_t *frame, uintptr_t exc_return, uintptr_t r7)
{
#ifdef GMON_STACKS
	gmon_tick_cortex_m(frame, exc_return, r7);
#else
	(void)exc_return;
	(void)r7;
	gmon_tick(GMON_PC_CORTEX_M(frame));
#endif
	on_tick();
}

/* The main stack is the only one. */
PLAIN __attribute__((naked)) void board_systick(void)
{
	__asm__ volatile("mrs r0, msp\n\t"
			 "mov r1, lr\n\t"
			 "mov r2, r7\n\t"
			 "ldr r3, =board_interrupt\n\t"
			 "bx r3\n\t"
			 ".ltorg");
}

PLAIN void board_fault(void)
{
	for (const char *at = "fault\n"; *at; at++)
		board_send(*at);
	board_exit();
}

__attribute__((section(".vectors"), used)) static void (*const vectors[16])(void) = {
	[0] = (void (*)(void))stack_end,
	[1] = board_reset,
	[2] = board_fault,
	[3] = board_fault,
	[15] = board_systick,
};

PLAIN void board_begin_timer(unsigned microseconds)
{
	REGISTER(SYST_CSR) = 0;
	REGISTER(SYST_RVR) = microseconds * CLOCK_MHZ - 1;
	REGISTER(SYST_CVR) = 0;
	if (microseconds > 0)
		REGISTER(SYST_CSR) = SYST_ON | SYST_INTERRUPTS | SYST_OF_PROCESSOR;
}

PLAIN uint32_t board_read_clock(void)
{
	if (!(REGISTER(SYST_CSR) & SYST_ON)) {
		REGISTER(SYST_RVR) = SYST_MOST;
		REGISTER(SYST_CVR) = 0;
		REGISTER(SYST_CSR) = SYST_ON | SYST_OF_PROCESSOR;
	}
	return SYST_MOST - REGISTER(SYST_CVR);
}

PLAIN void board_send(char c)
{
	while (REGISTER(UART_STATE) & UART_IS_FULL)
		;
	REGISTER(UART_DATA) = (uint32_t)c;
}

/* By semihosting: SYS_EXIT, as the program ends it. */
PLAIN void board_exit(void)
{
	__asm__ volatile("ldr r1, =0x20026\n\tmovs r0, #24\n\tbkpt 0xab\n\t.ltorg" ::: "r0", "r1");
	for (;;)
		;
}
