/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ends HOW: makes some calls, tells them, and ends in that way; after a dump if HOW has `+'.
 */
#include <gmon.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "truth.h"

enum { STATUS = 3, CALLS = 1000 };

APART void leaf(void)
{
	__asm__ volatile("");
}

APART void work(int n)
{
	for (int i = 0; i < n; i++)
		leaf();
	NO_TAIL_CALL;
}

APART void *work_on(void *go)
{
	for (;;)
		work(1);
	return go;
}

static void end(const char *how)
{
	const struct rlimit none = { 0, 0 };
	pthread_t thread;

	setrlimit(RLIMIT_CORE, &none);
	if (!strcmp(how, "exit"))
		exit(STATUS);
	if (!strcmp(how, "quick_exit"))
		quick_exit(STATUS);
	if (!strncmp(how, "_exit", 5))
		_exit(STATUS);
	if (!strncmp(how, "abort", 5))
		abort();
	if (!strncmp(how, "segv", 4))
		*(volatile int *)NULL = 1;
	if (!strncmp(how, "kill", 4))
		raise(SIGKILL);
	if (!strcmp(how, "chdir") && chdir("below"))
		_exit(99);
	if (!strcmp(how, "pause"))
		pause();
	if (!strcmp(how, "threads")) {
		for (int i = 0; i < 4; i++)
			if (pthread_create(&thread, NULL, work_on, NULL))
				_exit(99);
		usleep(5000);
		exit(STATUS);
	}
}

int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "return";

	work(CALLS);
	if (strcmp(how, "threads")) {
		arc("main", "work", 1);
		arc("work", "leaf", CALLS);
	}
	fflush(stdout);
	if (strchr(how, '+') && gmon_dump())
		return 99;
	end(how);
	return STATUS;
}
