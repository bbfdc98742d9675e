/* SPDX-License-Identifier: MIT */
/* x86-64: system calls, the interrupted program counter, counting. */
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
	return (uintptr_t)context->uc_mcontext.gregs[REG_RIP];
}

/* Adds to a count that only this thread and its signal handlers change. */
static inline void arch_add(uint64_t *count, uint64_t n)
{
	__asm__ volatile("addq %1, %0" : "+m"(*count) : "er"(n) : "cc");
}

/* A system call; negative is -errno. */
static inline long arch_syscall(long number, long a, long b, long c, long d, long e, long f)
{
	register long r10 __asm__("r10") = d;
	register long r8 __asm__("r8") = e;
	register long r9 __asm__("r9") = f;
	long answer;

	__asm__ volatile("syscall"
			 : "=a"(answer)
			 : "0"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
			 : "rcx", "r11", "memory");
	return answer;
}

#endif
