/* SPDX-License-Identifier: MIT */
/*
 * prctl() and syscall(), in the shared library only: before a program sets a filter of system calls
 * (seccomp) or the strict mode, its recording ends, since a call of ours could kill it. A program
 * that makes the system call itself is noticed later (base/sandbox.h).
 */
#include <errno.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include "base/sys.h"
#include "life.h"
#include "preload/next.h"
#include "state.h"

typedef int filters_prctl_function(int option, unsigned long a, unsigned long b, unsigned long c,
				   unsigned long d);

PUBLIC filters_prctl_function filters_prctl __asm__("prctl");

/* Machines pass a variable number of arguments as others; the kernel takes five. */
int filters_prctl(int option, unsigned long a, unsigned long b, unsigned long c, unsigned long d)
{
	/* Without a filter the program only tries whether the kernel has them. */
	if (option == PR_SET_SECCOMP && (a == SECCOMP_MODE_STRICT || b))
		life_shut();
	return ((filters_prctl_function *)next_of(NEXT_PRCTL))(option, a, b, c, d);
}

/*
 * syscall() must pass on all else without a trace: its callers have two to seven arguments, and
 * reports show the frames below them. So the C library's is jumped to. Where the seventh argument
 * is on the stack, only assembly can do that without touching it: i386, arm and s390x have none.
 */
#if defined(__x86_64__) || defined(__aarch64__) || defined(__riscv) || defined(__powerpc64__)

/* The six arguments that system calls have beside their number. */
#define FILTERS_ARGUMENTS long a, long b, long c, long d, long e, long f

typedef long filters_syscall_function(long number, FILTERS_ARGUMENTS);

/* For constructors before ours. */
static long filters_early_syscall(long number, FILTERS_ARGUMENTS)
{
	long result = SYS6(number, a, b, c, d, e, f);

	if (!sys_failed(result))
		return result;
	errno = (int)-result;
	return -1;
}

__attribute__((visibility("hidden"))) filters_syscall_function *filters_next_syscall =
	filters_early_syscall;

__attribute__((constructor(102))) static void filters_construct(void)
{
	void *next = next_of(NEXT_SYSCALL);

	if (next)
		filters_next_syscall = (filters_syscall_function *)next;
}

/* Before seccomp(2). */
__attribute__((visibility("hidden"), used)) void filters_before_seccomp(long number, long operation,
									long flags, long filter);

void filters_before_seccomp(long number, long operation, long flags, long filter)
{
	(void)number;
	(void)flags;
	if (operation == SECCOMP_SET_MODE_STRICT ||
	    (operation == SECCOMP_SET_MODE_FILTER && filter))
		life_shut();
}

#ifdef __x86_64__
_Static_assert(SYS_seccomp == 317, "the number in the instructions");

__asm__(".pushsection .text\n"
	".globl syscall\n"
	".type syscall, @function\n"
	"syscall:\n"
	"	endbr64\n"
	"	cmpq $317, %rdi\n"
	"	jne 1f\n"
	"	pushq %rdi\n"
	"	pushq %rsi\n"
	"	pushq %rdx\n"
	"	pushq %rcx\n"
	"	pushq %r8\n"
	"	pushq %r9\n"
	"	subq $8, %rsp\n"
	"	call filters_before_seccomp\n"
	"	addq $8, %rsp\n"
	"	popq %r9\n"
	"	popq %r8\n"
	"	popq %rcx\n"
	"	popq %rdx\n"
	"	popq %rsi\n"
	"	popq %rdi\n"
	"1:	jmp *filters_next_syscall(%rip)\n"
	".size syscall, . - syscall\n"
	".popsection\n");
#else
PUBLIC filters_syscall_function filters_syscall __asm__("syscall");

long filters_syscall(long number, FILTERS_ARGUMENTS)
{
	if (number == SYS_seccomp)
		filters_before_seccomp(number, a, b, c);
	return filters_next_syscall(number, a, b, c, d, e, f);
}
#endif
#endif
