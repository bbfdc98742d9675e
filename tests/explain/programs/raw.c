/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A third of its time is in main, the rest in a thread that it makes by clone() itself. With
 * PAUSED, it has paused the recording for a moment.
 */
#define _GNU_SOURCE
#include <sched.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { BYTES = 1 << 20 };

static volatile int done;

static void spend(double seconds)
{
	struct timespec begin, now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &begin);
	do
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	while ((double)(now.tv_sec - begin.tv_sec) + (double)(now.tv_nsec - begin.tv_nsec) / 1e9 <
	       seconds);
}

static int in_thread(void *unused)
{
	(void)unused;
	spend(0.6);
	done = 1;
	for (;;)
		pause();
}

#ifdef PAUSED
extern void moncontrol(int on);
#endif

int main(void)
{
	char *stack = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (stack == MAP_FAILED ||
	    clone(in_thread, stack + BYTES - 64,
		  CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM,
		  NULL) < 0)
		return 1;
#ifdef PAUSED
	moncontrol(0);
	moncontrol(1);
#endif
	spend(0.3);
	while (!done)
		usleep(10000);
	return 0;
}
