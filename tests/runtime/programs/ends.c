/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ends HOW: makes some calls, tells them, and ends in that way; after a dump if HOW has `+'.
 */
#include <fcntl.h>
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

/* Is there for signals only. */
UNCOUNTED static void *wait_on(void *unused)
{
	for (;;)
		pause();
	return unused;
}

/* Another root, or a file of its own where stderr was, or nothing. */
UNCOUNTED static void move(const char *how)
{
	static const char data[] = "data of the program\n";

	if (!strcmp(how, "chroot") && (chroot("below") || chdir("/")))
		_exit(77);
	if (!strcmp(how, "reopen")) {
		close(2);
		if (open("data", O_CREAT | O_TRUNC | O_WRONLY, 0666) != 2 ||
		    write(2, data, sizeof(data) - 1) != sizeof(data) - 1)
			_exit(99);
	}
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
	if (!strcmp(how, "wait")) {
		pthread_create(&thread, NULL, wait_on, NULL);
		printf("process %ld\n", (long)getpid());
		fflush(stdout);
		wait_on(NULL);
	}
	move(how);
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
