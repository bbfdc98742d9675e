/* SPDX-License-Identifier: MIT */
/* 64-bit RISC-V: system calls, the interrupted program counter, counting. */
#ifndef ARCH_H
#define ARCH_H

#include <stdint.h>
#include <ucontext.h>

/* The call site of return address pc in the file: the last byte of the call. */
static inline uintptr_t arch_call_site(uintptr_t pc)
{
	return pc - 1;
}

/* The first register of the kernel's structure is pc; libraries name it differently. */
static inline uintptr_t arch_pc(const ucontext_t *context)
{
	return (uintptr_t)context->uc_mcontext.__gregs[0];
}

/* Adds to a count that only this thread and its signal handlers change: amoadd.d. */
static inline void arch_add(uint64_t *count, uint64_t n)
{
	__atomic_fetch_add(count, n, __ATOMIC_RELAXED);
}

/* Atomic operations on less than 32 bits are library calls to many compilers. */
#define ARCH_NO_SHORT_ATOMICS

/* A system call; negative is -errno. */
static inline long arch_syscall(long number, long a, long b, long c, long d, long e, long f)
{
	register long a7 __asm__("a7") = number;
	register long a0 __asm__("a0") = a;
	register long a1 __asm__("a1") = b;
	register long a2 __asm__("a2") = c;
	register long a3 __asm__("a3") = d;
	register long a4 __asm__("a4") = e;
	register long a5 __asm__("a5") = f;

	__asm__ volatile("ecall"
			 : "+r"(a0)
			 : "r"(a7), "r"(a1), "r"(a2), "r"(a3), "r"(a4), "r"(a5)
			 : "memory");
	return a0;
}

#endif
