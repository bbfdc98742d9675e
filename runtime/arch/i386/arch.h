/* SPDX-License-Identifier: MIT */
/* i386: system calls, the interrupted program counter, counting. */
#ifndef ARCH_H
#define ARCH_H

#include <stdbool.h>
#include <stdint.h>
#include <ucontext.h>

/* The call site of return address pc in the file: the last byte of the call. */
static inline uintptr_t arch_call_site(uintptr_t pc)
{
	return pc - 1;
}

static inline uintptr_t arch_pc(const ucontext_t *context)
{
	return (uintptr_t)context->uc_mcontext.gregs[REG_EIP];
}

/*
 * Adds to a count that only this thread and its signal handlers change. A handler that
 * interrupts between the halves preserves the carry, and sums do not depend on the order.
 */
static inline void arch_add(uint64_t *count, uint64_t n)
{
	__asm__ volatile("addl %1, %0\n\tadcl %2, 4+%0"
			 : "+o"(*count)
			 : "ri"((uint32_t)n), "ri"((uint32_t)(n >> 32))
			 : "cc");
}

/*
 * Compare-and-swap of 64 bits, which the compiler cannot do in general registers. Whether it was
 * done.
 */
#define ARCH_WIDE_SWAP
static inline bool arch_wide_swap(uint64_t *word, uint64_t seen, uint64_t value)
{
	bool was;

	__asm__ volatile("lock cmpxchg8b %0\n\tsete %1"
			 : "+m"(*word), "=q"(was), "+A"(seen)
			 : "b"((uint32_t)value), "c"((uint32_t)(value >> 32))
			 : "cc", "memory");
	return was;
}

/* A system call; negative is -errno. The sixth argument goes into the frame pointer. */
static inline long arch_syscall(long number, long a, long b, long c, long d, long e, long f)
{
	long answer;

	__asm__ volatile("pushl %7\n\t"
			 "pushl %%ebp\n\t"
			 "movl 4(%%esp), %%ebp\n\t"
			 "int $0x80\n\t"
			 "popl %%ebp\n\t"
			 "addl $4, %%esp"
			 : "=a"(answer)
			 : "0"(number), "b"(a), "c"(b), "d"(c), "S"(d), "D"(e), "g"(f)
			 : "cc", "memory");
	return answer;
}

#endif
