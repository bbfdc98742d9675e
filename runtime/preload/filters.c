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
 * reports show the frames below them. So the C library's is jumped to. Where arguments are on the
 * stack, only assembly can do that without touching them.
 */

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
#elif defined(__i386__)
_Static_assert(SYS_seccomp == 354, "the number in the instructions");

/* All arguments are on the stack; eax, ecx and edx are free. */
__asm__(".pushsection .text\n"
	"filters_here:\n"
	"	movl (%esp), %edx\n"
	"	ret\n"
	".globl syscall\n"
	".type syscall, @function\n"
	"syscall:\n"
	"	endbr32\n"
	"	cmpl $354, 4(%esp)\n"
	"	jne 1f\n"
	"	subl $12, %esp\n"
	"	pushl 28(%esp)\n"
	"	pushl 28(%esp)\n"
	"	pushl 28(%esp)\n"
	"	pushl 28(%esp)\n"
	"	call filters_before_seccomp\n"
	"	addl $28, %esp\n"
	"1:	call filters_here\n"
	"2:	jmp *(filters_next_syscall - 2b)(%edx)\n"
	".size syscall, . - syscall\n"
	".popsection\n");
#elif defined(__arm__)
_Static_assert(SYS_seccomp == 383, "the number in the instructions");

/* From the fifth on, arguments are on the stack. */
__asm__(".pushsection .text\n"
	".syntax unified\n"
	".arm\n"
	".balign 4\n"
	".globl syscall\n"
	".type syscall, %function\n"
	"syscall:\n"
	"	ldr ip, 3f\n"
	"	cmp r0, ip\n"
	"	bne 1f\n"
	"	push {r0-r3, ip, lr}\n"
	"	bl filters_before_seccomp\n"
	"	pop {r0-r3, ip, lr}\n"
	"1:	ldr ip, 4f\n"
	"2:	add ip, pc, ip\n"
	"	ldr pc, [ip]\n"
	"3:	.word 383\n"
	"4:	.word filters_next_syscall - (2b + 8)\n"
	".size syscall, . - syscall\n"
	".popsection\n"
#ifdef __thumb__
	".thumb\n"
#endif
);
#elif defined(__s390x__)
_Static_assert(SYS_seccomp == 348, "the number in the instructions");

/* The sixth and seventh are on the stack, above the room that a caller leaves for registers. */
__asm__(".pushsection .text\n"
	".globl syscall\n"
	".type syscall, @function\n"
	"syscall:\n"
	"	cghi %r2, 348\n"
	"	jne 1f\n"
	"	stmg %r2, %r6, 16(%r15)\n"
	"	stg %r14, 112(%r15)\n"
	"	aghi %r15, -160\n"
	"	brasl %r14, filters_before_seccomp\n"
	"	aghi %r15, 160\n"
	"	lg %r14, 112(%r15)\n"
	"	lmg %r2, %r6, 16(%r15)\n"
	"1:	larl %r1, filters_next_syscall\n"
	"	lg %r1, 0(%r1)\n"
	"	br %r1\n"
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
