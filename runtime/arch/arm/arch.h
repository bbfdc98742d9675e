/* SPDX-License-Identifier: MIT */
/* 32-bit ARM (EABI): system calls, the interrupted program counter, counting. */
#ifndef ARCH_H
#define ARCH_H

#include <stdint.h>
#include <ucontext.h>

/*
 * The call site of return address pc in the file: the last byte of the call. The lowest bit of
 * pc says that the caller is Thumb code.
 */
static inline uintptr_t arch_call_site(uintptr_t pc)
{
	return (pc & ~(uintptr_t)1) - 1;
}

static inline uintptr_t arch_pc(const ucontext_t *context)
{
	return context->uc_mcontext.arm_pc;
}

/*
 * Adds to a count that only this thread and its signal handlers change. Returning from a signal
 * ends the reservation of a store-exclusive.
 */
static inline void arch_add(uint64_t *count, uint64_t n)
{
	__atomic_fetch_add(count, n, __ATOMIC_RELAXED);
}

/* A system call; negative is -errno. In Thumb code r7 may be the frame pointer. */
static inline long arch_syscall(long number, long a, long b, long c, long d, long e, long f)
{
	register long r0 __asm__("r0") = a;
	register long r1 __asm__("r1") = b;
	register long r2 __asm__("r2") = c;
	register long r3 __asm__("r3") = d;
	register long r4 __asm__("r4") = e;
	register long r5 __asm__("r5") = f;
	long r7;

	__asm__ volatile("mov %0, r7\n\tmov r7, %2\n\tsvc #0\n\tmov r7, %0"
			 : "=&r"(r7), "+r"(r0)
			 : "r"(number), "r"(r1), "r"(r2), "r"(r3), "r"(r4), "r"(r5)
			 : "memory");
	return r0;
}

#endif
