/* SPDX-License-Identifier: MIT */
/* What the files of this folder share. Programs include gmon_embedded.h alone. */
#ifndef GMON_STATE_H
#define GMON_STATE_H

#include <stddef.h>
#include <stdint.h>

/* Where the kit is compiled with -pg like all else. */
#define GMON_PLAIN __attribute__((no_instrument_function))

/* A range: its bins are numbers `first` and up; `bytes` is a multiple of their width. */
struct gmon_span {
	uintptr_t low, bytes;
	uint32_t shift, first;
};

/*
 * Calls of one function from one place. A cell is empty while `self` is 0: whoever changes that
 * then writes `key`. key is -from, which is not 0, so that nobody takes a cell of which only half
 * is written for his own: no call comes from address 0.
 */
struct gmon_cell {
	uintptr_t self, key;
	uint32_t count;
};

/*
 * `on` is a number that memory hardly has by chance: functions may be called before the program has
 * cleared its variables.
 */
enum { GMON_OFF = 0, GMON_ON = 0x676d6f6e };

/* A call's home cell is number (from << 1 ^ self) / GMON_HASH_UNIT, modulo a power of two. */
enum { GMON_HASH_UNIT = 4 };

struct gmon_state {
	uint32_t on;
	uint32_t mask; /* home cells, a power of two and at most ncells, minus 1; times that unit */
	struct gmon_cell *cells, *end;
	const struct gmon_span *spans, *spans_end;
	uint32_t *bins; /* two in a word, in the order of the bytes of a uint16_t[] */
	uint32_t nbins, rate;
	uint32_t dropped, saturated, outside;
	uint64_t stamp; /* with GMON_STACKS: of the last dump, else 0 */
};

extern struct gmon_state gmon_state;

/* How many processors and interrupts may add to one counter at the same time: counts end that far
 * below their largest value. */
enum { GMON_SLACK = 64 };

#define GMON_HAS_ATOMICS (__GCC_ATOMIC_INT_LOCK_FREE == 2 && __GCC_ATOMIC_POINTER_LOCK_FREE == 2)

#if GMON_HAS_ATOMICS

/* Returns what it was. */
static inline GMON_PLAIN uint32_t gmon_add(uint32_t *at, uint32_t n)
{
	return __atomic_fetch_add(at, n, __ATOMIC_RELAXED);
}

/* Makes 0 the value. False if it was not 0. */
static inline GMON_PLAIN int gmon_claim(uintptr_t *at, uintptr_t value)
{
	uintptr_t empty = 0;

	return __atomic_compare_exchange_n(at, &empty, value, 0, __ATOMIC_RELAXED,
					   __ATOMIC_RELAXED);
}

#else /* a processor without such instructions, and so a single one: nobody interrupts */

static inline GMON_PLAIN uintptr_t gmon_interrupts_off(void)
{
	uintptr_t before;

#if defined(__arm__)
	__asm__ volatile("mrs %0, primask\n\tcpsid i" : "=r"(before)::"memory");
#elif defined(__riscv)
	__asm__ volatile("csrrci %0, mstatus, 8" : "=r"(before)::"memory");
#elif defined(__XTENSA__)
	__asm__ volatile("rsil %0, 15" : "=r"(before)::"memory");
#else
#error "how are interrupts turned off on this machine?"
#endif
	return before;
}

static inline GMON_PLAIN void gmon_interrupts_restore(uintptr_t before)
{
#if defined(__arm__)
	__asm__ volatile("msr primask, %0" ::"r"(before) : "memory");
#elif defined(__riscv)
	__asm__ volatile("csrs mstatus, %0" ::"r"(before & 8) : "memory");
#elif defined(__XTENSA__)
	__asm__ volatile("wsr %0, ps\n\trsync" ::"r"(before) : "memory");
#endif
}

static inline GMON_PLAIN uint32_t gmon_add(uint32_t *at, uint32_t n)
{
	uintptr_t before = gmon_interrupts_off();
	uint32_t was = *at;

	*at = was + n;
	gmon_interrupts_restore(before);
	return was;
}

static inline GMON_PLAIN int gmon_claim(uintptr_t *at, uintptr_t value)
{
	uintptr_t before = gmon_interrupts_off();
	int empty = *(volatile uintptr_t *)at == 0;

	if (empty)
		*(volatile uintptr_t *)at = value;
	gmon_interrupts_restore(before);
	return empty;
}

#endif

/* Counts one more. False if the counter is full. */
static inline GMON_PLAIN int gmon_add_one(uint32_t *at)
{
	if (*at >= UINT32_MAX - GMON_SLACK)
		return 0;
	gmon_add(at, 1);
	return 1;
}

/* A dump in the making: takes the next n bytes. */
struct gmon_writer;
void gmon_put_bytes(struct gmon_writer *w, const void *bytes, size_t n);

static inline GMON_PLAIN void gmon_put_u32(struct gmon_writer *w, uint32_t value)
{
	gmon_put_bytes(w, &value, sizeof(value));
}

static inline GMON_PLAIN void gmon_put_u64(struct gmon_writer *w, uint64_t value)
{
	gmon_put_bytes(w, &value, sizeof(value));
}

/*
 * gmon_stacks.c: forgets all stacks; writes them as gmon_ext.h describes, for the profile with this
 * stamp; and says how many bytes these will be while nothing is counted.
 */
#ifdef GMON_STACKS
#define GMON_HAS_STACKS 1
#else
#define GMON_HAS_STACKS 0
#endif

void gmon_clear_stacks(void);
void gmon_put_stacks(struct gmon_writer *w, uint64_t stamp);
size_t gmon_stacks_length(void);

#endif
