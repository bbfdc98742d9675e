/* SPDX-License-Identifier: MIT */
/*
 * A thread that pthread_create() knows nothing of, as some run-time systems make them: it uses the
 * processor time given in milliseconds, and the first one nothing. Prints "used SECONDS", of both.
 */
#define _GNU_SOURCE
#include <linux/futex.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { STACK_BYTES = 65536, STEPS = 100000, NS_MS = 1000000 };

static int running = 1;

static int work(void *ms)
{
	struct timespec now;
	volatile unsigned sum = 0;

	do {
		for (int i = 0; i < STEPS; i++)
			sum += (unsigned)i;
		syscall(SYS_clock_gettime, CLOCK_THREAD_CPUTIME_ID, &now);
	} while (now.tv_sec * 1000 + now.tv_nsec / NS_MS < *(long *)ms);
	return 0;
}

int main(int argc, char **argv)
{
	long ms = argc > 1 ? atol(argv[1]) : 0;
	char *stack =
		mmap(NULL, STACK_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	const int flags = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD |
			  CLONE_SYSVSEM | CLONE_CHILD_CLEARTID;

	if (stack == MAP_FAILED ||
	    clone(work, stack + STACK_BYTES, flags, &ms, NULL, NULL, &running) < 0)
		return 99;
	while (__atomic_load_n(&running, __ATOMIC_ACQUIRE))
		syscall(SYS_futex, &running, FUTEX_WAIT, 1, NULL, NULL, 0);
	printf("used %.3f\n", (double)clock() / CLOCKS_PER_SEC);
	return 0;
}
