/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * endless THREADS [DIRECTORY [FILE]]: makes calls, in so many threads, until it is killed. The
 * first one says every now and then how many it has made; when it has done so once, it waits until
 * there is a FILE, goes to the directory, and there is one more thread, whose first call it awaits.
 */
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

#include "hundreds.h"
#include "truth.h"

enum { STEP = 1000 };

#define CALLEE(n)                     \
	APART static void f##n(void)  \
	{                             \
		__asm__ volatile(""); \
	}
HUNDRED(CALLEE, 1)
HUNDRED(CALLEE, 2)

#define ENTRY(n) f##n,
static void (*const callees[])(void) = { HUNDRED(ENTRY, 1) HUNDRED(ENTRY, 2) };

enum { NCALLEES = sizeof(callees) / sizeof(callees[0]) };

APART void leaf(void)
{
	__asm__ volatile("");
}

static volatile bool has_called; /* others(), in any thread */

APART void *others(void *argument)
{
	for (size_t i = 0;; i = (i + 1) % NCALLEES) {
		callees[i]();
		has_called = true;
	}
	return argument;
}

UNCOUNTED static void say(unsigned long count)
{
	char line[32];
	int n = snprintf(line, sizeof(line), "%lu\n", count);

	if (write(1, line, (size_t)n) != n)
		_exit(99);
}

UNCOUNTED static void go(const char *directory, const char *file)
{
	pthread_t thread;

	while (file && access(file, F_OK))
		usleep(1000);
	has_called = false;
	if (chdir(directory) || pthread_create(&thread, NULL, others, NULL))
		_exit(99);
	while (!has_called)
		usleep(1000);
}

int main(int argc, char **argv)
{
	int nthreads = argc > 1 ? atoi(argv[1]) : 1;
	pthread_t thread;

	for (int i = 1; i < nthreads; i++)
		if (pthread_create(&thread, NULL, others, NULL))
			return 99;
	for (unsigned long count = STEP;; count += STEP) {
		for (int i = 0; i < STEP; i++)
			leaf();
		callees[count / STEP % NCALLEES]();
		say(count);
		if (count == STEP && argc > 2)
			go(argv[2], argv[3]);
	}
}
