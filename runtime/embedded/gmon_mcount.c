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
	const uintptr_t unit = sizeof(struct gmon_cell) / GMON_HASH_UNIT;
	uintptr_t key = -from;
	struct gmon_cell *cell;

	if (s->on != GMON_ON)
		return;
	cell = (struct gmon_cell *)((uintptr_t)s->cells + ((from << 1 ^ self) & s->mask) * unit);
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

#if defined(__thumb__)

/*
 * These two are gmon_count() for calls that are in their home cell; all others it gets itself. self
 * and caller change places: self becomes the word on the stack, which is popped last, as pc.
 */
_Static_assert(offsetof(struct gmon_state, on) == 0 && offsetof(struct gmon_state, mask) == 4 &&
		       offsetof(struct gmon_state, cells) == 8 && GMON_ON == 0x676d6f6e &&
		       sizeof(struct gmon_cell) == 3 * GMON_HASH_UNIT &&
		       offsetof(struct gmon_cell, self) == 0 &&
		       offsetof(struct gmon_cell, key) == 4 &&
		       offsetof(struct gmon_cell, count) == 8,
	       "what the entry code knows");

/* r0: caller, r1: self, ip and lr are live; five registers are pushed. */
#define GMON_SLOW_THUMB     \
	"mov r4, ip\n\t"    \
	"push {r0, r1}\n\t" \
	"bl gmon_count\n\t" \
	"pop {r0, r1}\n\t"  \
	"mov ip, r4\n\t"

#if defined(__thumb2__)

__attribute__((naked)) GMON_PLAIN void __gnu_mcount_nc(void)
{
	__asm__ volatile("push {r0, r1, r2, r3, r4}\n\t"
			 "ldr r2, =gmon_state\n\t"
			 "ldr r3, =0x676d6f6e\n\t"
			 "ldr r1, [r2]\n\t"
			 "ldr r0, [sp, #20]\n\t"
			 "cmp r1, r3\n\t"
			 "bne 3f\n\t"
			 "ldrd r3, r2, [r2, #4]\n\t"
			 "eor r1, lr, r0, lsl #1\n\t"
			 "ands r1, r3\n\t"
			 "add r1, r1, r1, lsl #1\n\t"
			 "add r2, r1\n\t"
			 "ldrd r1, r3, [r2], #8\n\t"
			 "cmp r1, lr\n\t"
			 "bne 2f\n\t"
			 "adds r3, r0\n\t"
			 "bne 2f\n"
			 "1:\tldrex r1, [r2]\n\t"
			 "adds r1, #1\n\t"
			 "beq 2f\n\t"
			 "strex r3, r1, [r2]\n\t"
			 "cmp r3, #0\n\t"
			 "bne 1b\n"
			 "3:\tstr lr, [sp, #20]\n\t"
			 "mov lr, r0\n\t"
			 "pop {r0, r1, r2, r3, r4, pc}\n"
			 "2:\tmov r1, lr\n\t" GMON_SLOW_THUMB "mov lr, r1\n\t"
			 "b 3b\n\t"
			 ".globl gmon_mcount_end\n"
			 "gmon_mcount_end:\n\t"
			 ".ltorg");
}

#else

/* ARMv6-M has a single processor, and none interrupts while interrupts are off. ARMv8-M's baseline,
 * which has LDREX and perhaps several processors, gets all calls by gmon_count(). */
#if GMON_HAS_ATOMICS
#define GMON_IN_HOME_THUMB_1 "b 2f\n"
#define GMON_FULL_THUMB_1
#else
#define GMON_IN_HOME_THUMB_1      \
	"ldr r2, =gmon_state\n\t" \
	"ldr r3, =0x676d6f6e\n\t" \
	"ldr r4, [r2]\n\t"        \
	"cmp r4, r3\n\t"          \
	"bne 3f\n\t"              \
	"lsls r3, r0, #1\n\t"     \
	"eors r3, r1\n\t"         \
	"ldr r4, [r2, #4]\n\t"    \
	"ands r3, r4\n\t"         \
	"lsls r4, r3, #1\n\t"     \
	"adds r3, r4\n\t"         \
	"ldr r2, [r2, #8]\n\t"    \
	"adds r2, r3\n\t"         \
	"ldmia r2!, {r3, r4}\n\t" \
	"cmp r3, r1\n\t"          \
	"bne 2f\n\t"              \
	"adds r4, r0\n\t"         \
	"bne 2f\n\t"              \
	"mrs r4, primask\n\t"     \
	"cpsid i\n\t"             \
	"ldr r3, [r2]\n\t"        \
	"adds r3, #1\n\t"         \
	"beq 1f\n\t"              \
	"str r3, [r2]\n\t"        \
	"msr primask, r4\n"
#define GMON_FULL_THUMB_1 "1:\tmsr primask, r4\n"
#endif

__attribute__((naked)) GMON_PLAIN void __gnu_mcount_nc(void)
{
	__asm__ volatile(".syntax unified\n\t"
			 "push {r0, r1, r2, r3, r4}\n\t"
			 "ldr r0, [sp, #20]\n\t"
			 "mov r1, lr\n\t" GMON_IN_HOME_THUMB_1 "3:\tstr r1, [sp, #20]\n\t"
			 "mov lr, r0\n\t"
			 "pop {r0, r1, r2, r3, r4, pc}\n" GMON_FULL_THUMB_1 "2:\t" GMON_SLOW_THUMB
			 "b 3b\n\t"
			 ".globl gmon_mcount_end\n"
			 "gmon_mcount_end:\n\t"
			 ".ltorg");
}

#endif

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
