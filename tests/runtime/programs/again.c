/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * again CALL N: works for 60 ms and becomes itself by CALL, N times; with a first word for each
 * time, and a variable in the environment, which have to arrive. The last one's status is 7, or
 * with a CALL of "fails", 3 if none of them worked on a file that does not exist; "many" has 300
 * words.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define TEN(word) word, word, word, word, word, word, word, word, word, word
#define HUNDRED(word)                                                                           \
	TEN(word), TEN(word), TEN(word), TEN(word), TEN(word), TEN(word), TEN(word), TEN(word), \
		TEN(word), TEN(word)

static void work(void)
{
	struct timespec t;
	volatile long sum = 0;

	do {
		for (int i = 0; i < 100000; i++)
			sum += i;
		clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	} while (t.tv_sec == 0 && t.tv_nsec < 60000000);
}

static int fails(void)
{
	int failed = 0;

	failed += execl("./none", "none", "x", (char *)0) == -1 && errno == ENOENT;
	failed += execlp("./none", "none", "x", (char *)0) == -1 && errno == ENOENT;
	failed += execle("./none", "none", (char *)0, environ) == -1 && errno == ENOENT;
	failed += execl("./none", HUNDRED("x"), HUNDRED("x"), HUNDRED("x"), (char *)0) == -1 &&
		  errno == ENOENT;
	failed += fexecve(-1, environ, environ) == -1 && (errno == EINVAL || errno == EBADF);
	return failed == 5 ? 3 : 1;
}

int main(int argc, char **argv)
{
	const char *call = argv[1], *file = "./a.out";
	char n[20], left[] = "LEFT=yes";
	char *words[] = { "again", argv[1], n, NULL }, *environment[] = { left, NULL };

	if (argc != 3 && argc != 303)
		return 2;
	work();
	snprintf(n, sizeof(n), "%d", atoi(argv[2]) - 1);
	if (strcmp(call, "fails") == 0)
		return fails();
	if (strcmp(argv[0], "again") == 0 && !getenv("LEFT"))
		return 4;
	if (strcmp(call, "many") == 0 && strcmp(argv[0], "again") == 0 &&
	    (argc != 303 || strcmp(argv[302], "x") != 0))
		return 5;
	if (atoi(argv[2]) == 0)
		return getenv("GMON") || getenv("LD_PRELOAD") ? 6 : 7;
	putenv(left);
	if (strcmp(call, "execl") == 0)
		execl(file, "again", call, n, (char *)0);
	if (strcmp(call, "many") == 0)
		execl(file, "again", call, n, HUNDRED("x"), HUNDRED("x"), HUNDRED("x"), (char *)0);
	if (strcmp(call, "execlp") == 0)
		execlp(file, "again", call, n, (char *)0);
	if (strcmp(call, "execle") == 0)
		execle(file, "again", call, n, (char *)0, environment);
	if (strcmp(call, "execv") == 0)
		execv(file, words);
	if (strcmp(call, "execvp") == 0)
		execvp(file, words);
	if (strcmp(call, "fexecve") == 0)
		fexecve(open(file, O_RDONLY | O_CLOEXEC), words, environment);
	return 1;
}
