/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A program for gprof --versus: paired WORK [WHAT [FILE N]]. It computes for WORK units in parse(),
 * and always for 4 in hash(). WHAT is what else it does: `read` prints a sum of its input, `pid`
 * its number, `say` the word after it; in its Nth run, which it counts in FILE, `crash` and `exit`
 * end it, and `interrupt` interrupts the process that has started it.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static volatile unsigned long sum;

__attribute__((noinline)) static void parse(unsigned long n)
{
	for (unsigned long i = 0; i < n * 400000; i++)
		sum += i * i;
}

__attribute__((noinline)) static void hash(unsigned long n)
{
	for (unsigned long i = 0; i < n * 400000; i++)
		sum ^= i * 7;
}

/* Whether this is the Nth run. */
static int now(const char *file, int n)
{
	FILE *counter = fopen(file, "a+");
	long runs;

	if (!counter)
		exit(99);
	fputc('.', counter);
	fflush(counter);
	runs = ftell(counter);
	fclose(counter);
	return runs == n;
}

int main(int argc, char **argv)
{
	const char *what = argc > 2 ? argv[2] : "";
	int number = 0, c;

	parse(argc > 1 ? strtoul(argv[1], NULL, 10) : 1);
	hash(4);
	if (strcmp(what, "read") == 0) {
		while ((c = getchar()) != EOF)
			number = number * 31 + c;
		printf("%d\n", number);
	} else if (strcmp(what, "pid") == 0) {
		printf("%d\n", (int)getpid());
	} else if (strcmp(what, "say") == 0) {
		printf("first\n%s\n", argv[3]);
	} else if (argc > 4 && now(argv[3], atoi(argv[4]))) {
		if (strcmp(what, "crash") == 0)
			raise(SIGSEGV);
		if (strcmp(what, "exit") == 0)
			return 5;
		if (strcmp(what, "interrupt") == 0)
			kill(getppid(), SIGINT);
		if (strcmp(what, "interrupt") == 0)
			pause();
	}
	return 0;
}
