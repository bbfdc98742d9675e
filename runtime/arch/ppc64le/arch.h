/* SPDX-License-Identifier: MIT */
/* Little-endian 64-bit PowerPC: system calls, the interrupted program counter, counting. */
#ifndef ARCH_H
#define ARCH_H

#include <stdint.h>
#include <ucontext.h>

/* The call site of return address pc in the file: the last byte of the call. */
static inline uintptr_t arch_call_site(uintptr_t pc)
{
	return pc - 1;
}

static inline uintptr_t arch_pc(const ucontext_t *context)
{
	enum { NEXT_INSTRUCTION = 32 };

	return context->uc_mcontext.gp_regs[NEXT_INSTRUCTION];
}

/*
 * Adds to a count that only this thread and its signal handlers change. Returning from a signal
 * ends the reservation of a conditional store.
 */
static inline void arch_add(uint64_t *count, uint64_t n)
{
	__atomic_fetch_add(count, n, __ATOMIC_RELAXED);
}

/* A system call; negative is -errno. The kernel says "error" in a condition bit. */
static inline long arch_syscall(long number, long a, long b, long c, long d, long e, long f)
{
	register long r0 __asm__("r0") = number;
	register long r3 __asm__("r3") = a;
	register long r4 __asm__("r4") = b;
	register long r5 __asm__("r5") = c;
	register long r6 __asm__("r6") = d;
	register long r7 __asm__("r7") = e;
	register long r8 __asm__("r8") = f;

	__asm__ volatile("sc\n\tbns+ 1f\n\tneg %1, %1\n1:"
			 : "+r"(r0), "+r"(r3), "+r"(r4), "+r"(r5), "+r"(r6), "+r"(r7), "+r"(r8)
			 :
			 : "r9", "r10", "r11", "r12", "ctr", "xer", "cr0", "memory");
	return r3;
}

#endif
