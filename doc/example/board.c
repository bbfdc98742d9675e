/* SPDX-License-Identifier: MIT */
/*
 * Firmware for a Cortex-M3 without a library: it sorts, is profiled a thousand times a second, and
 * prints its profile on its console. QEMU has the board: mps2-an385. See board.ld.
 */
#include "gmon_embedded.h"
#include "gmon_ports.h"

#define REGISTER(address) (*(volatile uint32_t *)(address))
#define PLAIN             __attribute__((no_instrument_function))

extern char text_start[], text_end[];
extern uint32_t bss_start[], bss_end[], stack_end[];

static uintptr_t memory[1024];
static int numbers[1000];

__attribute__((noinline)) int is_before(int a, int b)
{
	return a < b;
}

void sort(int *at, int n)
{
	for (int i = 1; i < n; i++) {
		for (int k = i; k > 0 && is_before(at[k], at[k - 1]); k--) {
			int kept = at[k];

			at[k] = at[k - 1];
			at[k - 1] = kept;
		}
	}
}

void fill(int *at, int n)
{
	uint32_t number = 1;

	for (int i = 0; i < n; i++)
		at[i] = (int)((number = number * 1664525 + 1013904223) >> 8);
}

PLAIN static void send(char c)
{
	REGISTER(0x40004000) = (uint32_t)c;
}

PLAIN static void start_timer(void)
{
	REGISTER(0xe000e014) = 25000 - 1; /* SysTick: 25 MHz, 1000 times a second */
	REGISTER(0xe000e018) = 0;
	REGISTER(0xe000e010) = 7;
}

/* The interrupted address is in the frame on top of the stack. */
PLAIN void on_timer_with_frame(const uint32_t *frame)
{
	gmon_tick(GMON_PC_CORTEX_M(frame));
}

PLAIN __attribute__((naked)) void on_timer(void)
{
	__asm__("mrs r0, msp\n\tb on_timer_with_frame");
}

int main(void)
{
	const struct gmon_range text = { (uintptr_t)text_start, (uintptr_t)text_end, 2 };

	if (gmon_start(memory, sizeof(memory), &text, 1, 1000) != 0)
		return 1;
	start_timer();
	fill(numbers, 1000);
	sort(numbers, 1000);
	return gmon_uart(send);
}

PLAIN void *memset(void *at, int byte, size_t n)
{
	for (volatile char *to = at; n > 0; n--)
		*to++ = (char)byte;
	return at;
}

PLAIN void reset(void)
{
	memset(bss_start, 0, (size_t)((char *)bss_end - (char *)bss_start));
	REGISTER(0x40004010) = 16; /* UART: its clock, then on */
	REGISTER(0x40004008) = 1;
	main();
	/* Semihosting ends the emulator. */
	__asm__("ldr r1, =0x20026\n\tmovs r0, #24\n\tbkpt 0xab");
}

__attribute__((section(".vectors"), used)) static void (*const vectors[16])(void) = {
	[0] = (void (*)(void))stack_end,
	[1] = reset,
	[15] = on_timer,
};
