/* SPDX-License-Identifier: MIT */
/* s390x: system calls, the interrupted program counter, counting. */
#ifndef ARCH_H
#define ARCH_H

#include <stdint.h>
#include <ucontext.h>

/* mmap takes one argument: the address of its six. */
#define ARCH_MMAP_BLOCK

/* The call site of return address pc in the file: the last byte of the call. */
static inline uintptr_t arch_call_site(uintptr_t pc)
{
	return pc - 1;
}

static inline uintptr_t arch_pc(const ucontext_t *context)
{
	return context->uc_mcontext.psw.addr;
}

/*
 * Adds to a count that only this thread and its signal handlers change: one instruction if n is
 * small, else compare-and-swap.
 */
static inline void arch_add(uint64_t *count, uint64_t n)
{
	if (__builtin_constant_p(n) && n < 128)
		__asm__ volatile("agsi %0, %1" : "+T"(*count) : "K"(n) : "cc");
	else
		__atomic_fetch_add(count, n, __ATOMIC_RELAXED);
}

/* A system call; negative is -errno. */
static inline long arch_syscall(long number, long a, long b, long c, long d, long e, long f)
{
	register long r1 __asm__("r1") = number;
	register long r2 __asm__("r2") = a;
	register long r3 __asm__("r3") = b;
	register long r4 __asm__("r4") = c;
	register long r5 __asm__("r5") = d;
	register long r6 __asm__("r6") = e;
	register long r7 __asm__("r7") = f;

	__asm__ volatile("svc 0"
			 : "+r"(r2)
			 : "r"(r1), "r"(r3), "r"(r4), "r"(r5), "r"(r6), "r"(r7)
			 : "memory");
	return r2;
}

#endif
