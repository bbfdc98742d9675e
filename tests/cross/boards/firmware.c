/* SPDX-License-Identifier: MIT */
/*
 * A program whose calls and time are known. It prints them as "arc CALLER CALLEE CALLS", and what a
 * call and a tick cost as "cost WHAT LOOPS TICKS", and dumps its profile twice: to gmon.out, by
 * semihosting, and to the console, as text.
 *
 *   main --> middle --> leaf               middle and leaf are called in interrupts, too
 *        --> depth --> depth
 *        --> choose --> first, second
 *        --> long_work, short_work         three parts of the time, and one
 *        --> often, seldom --> work        with stacks instead of these two, in the same parts
 *   on_tick --> interrupt_work --> middle
 */
#include "board.h"

#include "gmon_embedded.h"
#include "gmon_ports.h"

#ifndef ARCS
#define ARCS 100
#endif
#ifndef PERIOD
#define PERIOD 1000 /* microseconds */
#endif

enum { ROUNDS = 200, DEPTH = 5, TURN = 20000, LOOPS = 2000 };

#ifdef GMON_STACKS
#define HAS_STACKS 1
#else
#define HAS_STACKS 0
#define gmon_stack_memory(low, high)
#define gmon_semihosting_stacks(path) 0
#endif

#define NOINLINE __attribute__((noinline, noclone))
#define FAST     NOINLINE __attribute__((section(".fast")))

static uintptr_t memory[2048];
static volatile unsigned interrupts;
static volatile unsigned sink;

FAST void long_work(unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		__asm__ volatile("");
}

FAST void short_work(unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		__asm__ volatile("");
}

NOINLINE void leaf(void)
{
	__asm__ volatile("" ::: "memory");
}

NOINLINE void middle(void)
{
	leaf();
	leaf();
}

NOINLINE void interrupt_work(void)
{
	middle();
}

NOINLINE unsigned depth(unsigned n)
{
	return n > 1 ? depth(n - 1) + sink : 1;
}

/* Eight arguments and a result: all registers that a call may not change. */
NOINLINE unsigned first(unsigned a, unsigned b, unsigned c, unsigned d, unsigned e, uint64_t f)
{
	return a + 2 * b + 3 * c + 4 * d + 5 * e + (unsigned)f;
}

NOINLINE unsigned second(unsigned a, unsigned b, unsigned c, unsigned d, unsigned e, uint64_t f)
{
	return a ^ b ^ c ^ d ^ e ^ (unsigned)f;
}

typedef unsigned taking_much(unsigned a, unsigned b, unsigned c, unsigned d, unsigned e,
			     uint64_t f);

NOINLINE unsigned choose(taking_much *what)
{
	return what(1, 2, 3, 4, 5, 6);
}

FAST void work(unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		__asm__ volatile("");
}

NOINLINE void often(void)
{
	work(3 * TURN);
}

NOINLINE void seldom(void)
{
	work(TURN);
}

PLAIN NOINLINE void plain(void)
{
	__asm__ volatile("" ::: "memory");
}

PLAIN void on_tick(void)
{
	interrupts++;
	interrupt_work();
}

/* What the kit takes of a C library. */
PLAIN void *memset(void *at, int byte, size_t n)
{
	for (volatile char *to = at; n > 0; n--)
		*to++ = (char)byte;
	return at;
}

PLAIN static void send_word(const char *word)
{
	while (*word)
		board_send(*word++);
}

PLAIN static void send_line(const char *what, const char *name, unsigned n, unsigned more)
{
	const unsigned numbers[] = { n, more };

	send_word(what);
	send_word(" ");
	send_word(name);
	for (int k = 0; k < (more > 0 ? 2 : 1); k++) {
		send_word(" 0x");
		for (int shift = 28; shift >= 0; shift -= 4)
			board_send("0123456789abcdef"[numbers[k] >> shift & 15]);
	}
	send_word("\r\n");
}

#define COST(name, what)                                                                 \
	do {                                                                             \
		uint32_t begin = board_read_clock();                                     \
		for (unsigned k = 0; k < LOOPS; k++)                                     \
			what;                                                            \
		send_line("cost", name, LOOPS, (board_read_clock() - begin) & 0xffffff); \
	} while (0)

/* A hundred instructions, which tell what a tick of the clock is. */
PLAIN NOINLINE static void hundred(void)
{
	__asm__ volatile(".rept 100\n\tnop\n\t.endr");
}

PLAIN static void measure(void)
{
	board_read_clock();
	COST("hundred", hundred());
	COST("plain", plain());
	COST("call", leaf());
	COST("tick", gmon_tick((uintptr_t)leaf));
}

PLAIN static void send_truth(void)
{
	send_line("arc", "main middle", ROUNDS * 100, 0);
	send_line("arc", "main depth", ROUNDS, 0);
	send_line("arc", "depth depth", ROUNDS * (DEPTH - 1), 0);
	send_line("arc", "main choose", ROUNDS * 2, 0);
	send_line("arc", "choose first", ROUNDS, 0);
	send_line("arc", "choose second", ROUNDS, 0);
	if (HAS_STACKS) {
		send_line("arc", "often work", ROUNDS, 0);
		send_line("arc", "seldom work", ROUNDS, 0);
	} else {
		send_line("arc", "main long_work", ROUNDS, 0);
		send_line("arc", "main short_work", ROUNDS, 0);
	}
	send_line("arc", "on_tick interrupt_work", interrupts, 0);
	send_line("arc", "interrupt_work middle", interrupts, 0);
	send_line("arc", "middle leaf", 2 * (ROUNDS * 100 + interrupts), 0);
}

#define TEXT                                                   \
	{                                                      \
		(uintptr_t) text_start, (uintptr_t)text_end, 2 \
	}
#define FAST_TEXT(shift)                                           \
	{                                                          \
		(uintptr_t) fast_start, (uintptr_t)fast_end, shift \
	}

PLAIN int main(void)
{
	static const struct gmon_range ranges[] = { TEXT, FAST_TEXT(2) };
	static const struct gmon_range unlike[] = { TEXT, FAST_TEXT(4) };
	static const struct gmon_range twice[] = { TEXT, TEXT };
	size_t bytes = gmon_size(ranges, 2, ARCS);
	unsigned wrong = 0;

	wrong += gmon_start(memory, gmon_size(ranges, 2, 0), ranges, 2, 1000) != -1;
	wrong += gmon_start(memory, sizeof(memory), unlike, 2, 1000) != -1;
	wrong += gmon_start(memory, sizeof(memory), twice, 2, 1000) != -1;
	wrong += bytes > sizeof(memory) ||
		 gmon_start(memory, bytes, ranges, 2, 1000000 / PERIOD) != 0;
	gmon_stack_memory((uintptr_t)stack_start, (uintptr_t)stack_end);
	board_begin_timer(PERIOD);
	for (unsigned k = 0; k < ROUNDS; k++) {
		for (unsigned n = 0; n < 100; n++)
			middle();
		wrong += depth(DEPTH) != 1;
		wrong += choose(first) != 1 + 4 + 9 + 16 + 25 + 6;
		wrong += choose(second) != (1 ^ 2 ^ 3 ^ 4 ^ 5 ^ 6);
		if (HAS_STACKS) {
			often();
			seldom();
		} else {
			long_work(3 * TURN);
			short_work(TURN);
		}
	}
	board_begin_timer(0);
	gmon_control(0);
	send_truth();
	send_line("wrong", "is", wrong, 0);
	if (gmon_semihosting("gmon.out") != 0)
		send_word("no gmon.out\r\n");
	if (HAS_STACKS && gmon_semihosting_stacks("gmon.out.ext") != 0)
		send_word("no gmon.out.ext\r\n");
	gmon_uart(board_send);
	gmon_start(memory, bytes, ranges, 2, 1000);
	measure();
	return 0;
}
