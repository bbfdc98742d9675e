/* SPDX-License-Identifier: MIT */
/*
 * What gcc calls at the start of each function of a -pg program, by machine.
 *
 *   Cortex-M   "push {lr}; bl __gnu_mcount_nc" before all else: all registers are live. lr is self;
 *              the word on the stack is the caller, which goes back into lr.
 *   RISC-V     "mv a0, ra; call _mcount" behind the prologue, as any call in C
 *   Xtensa     "mov a10, a0; call8 _mcount", with register windows, as any call in C. The two
 *              highest bits of return addresses say how far the window moves: these are self's.
 */
#include "gmon_embedded.h"
#include "gmon_state.h"

/* Cells that are looked at, so that a full table costs a bounded time, too. */
enum { GMON_PROBES = 64 };

/* Takes a cell for the pair: an empty one from the cell given on, or one that has it by now. NULL:
 * there is none. */
static GMON_PLAIN __attribute__((noinline)) struct gmon_cell *gmon_find_cell(struct gmon_cell *cell,
									     uintptr_t key,
									     uintptr_t self)
{
	struct gmon_state *s = &gmon_state;

	for (unsigned n = GMON_PROBES; n > 0; n--) {
		if (cell->self == 0 && gmon_claim(&cell->self, self)) {
			cell->key = key;
			return cell;
		}
		if (cell->self == self && cell->key == key)
			return cell;
		if (++cell == s->end)
			cell = s->cells;
	}
	return NULL;
}

GMON_PLAIN void gmon_count(uintptr_t from, uintptr_t self)
{
	struct gmon_state *s = &gmon_state;
	uintptr_t key = ~from;
	struct gmon_cell *cell;

	if (s->on != GMON_ON)
		return;
	cell = s->cells + (((from >> 1) ^ (self >> 2)) & s->mask);
	if (cell->self != self || cell->key != key)
		cell = gmon_find_cell(cell, key, self);
	if (!cell || !gmon_add_one(&cell->count))
		gmon_add_one(&s->dropped);
}

/* Each has code of its own, so that each has an address. */
GMON_PLAIN void gmon_dropped(void)
{
	__asm__ volatile("" ::"r"(1));
}

GMON_PLAIN void gmon_saturated(void)
{
	__asm__ volatile("" ::"r"(2));
}

GMON_PLAIN void gmon_outside(void)
{
	__asm__ volatile("" ::"r"(3));
}

#if defined(__thumb2__)

/* self and caller change places, so that what is popped is right. */
__attribute__((naked)) GMON_PLAIN void __gnu_mcount_nc(void)
{
	__asm__ volatile("push {r0, r1, r2, r3, ip, lr}\n\t"
			 "ldr r0, [sp, #24]\n\t"
			 "str lr, [sp, #24]\n\t"
			 "str r0, [sp, #20]\n\t"
			 "mov r1, lr\n\t"
			 "bl gmon_count\n\t"
			 "pop {r0, r1, r2, r3, ip, lr}\n\t"
			 "pop {pc}");
}

#elif defined(__thumb__)

/* The same with the first eight registers alone: r4 is kept for lr's and ip's way. */
__attribute__((naked)) GMON_PLAIN void __gnu_mcount_nc(void)
{
	__asm__ volatile("push {r0, r1, r2, r3, r4, lr}\n\t"
			 "mov r4, ip\n\t"
			 "ldr r0, [sp, #24]\n\t"
			 "mov r1, lr\n\t"
			 "str r1, [sp, #24]\n\t"
			 "str r0, [sp, #20]\n\t"
			 "bl gmon_count\n\t"
			 "mov ip, r4\n\t"
			 "ldr r0, [sp, #20]\n\t"
			 "mov lr, r0\n\t"
			 "pop {r0, r1, r2, r3, r4}\n\t"
			 "add sp, #4\n\t"
			 "pop {pc}");
}

#elif defined(__riscv)

GMON_PLAIN void _mcount(uintptr_t from)
{
	gmon_count(from, (uintptr_t)__builtin_return_address(0));
}

#elif defined(__XTENSA_WINDOWED_ABI__)

GMON_PLAIN void _mcount(uintptr_t from)
{
	const uintptr_t window = (uintptr_t)3 << 30;
	uintptr_t here = (uintptr_t)_mcount & window;
	uintptr_t self = (uintptr_t)__builtin_return_address(0);

	gmon_count((from & ~window) | here, (self & ~window) | here);
}

#endif
