/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * pairs: runs two programs in turn, with the same words, and compares what they cost.
 *
 *   pairs COUNT OURS THEIRS [WORD]...
 *
 * Prints one line, of medians: milliseconds of the processor's time of OURS and of THEIRS, and the
 * ratio of the two in a pair; then the same of time on the clock. Who goes first alternates.
 */
#include "../tools/bytes.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

const char tool_name[] = "pairs";

enum { CPU, WALL, NKINDS, OURS = 0, THEIRS, RATIO, NCOLUMNS };

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static double milliseconds(struct timeval t)
{
	return (double)t.tv_sec * 1e3 + (double)t.tv_usec / 1e3;
}

static void run(char **words, double cost[NKINDS])
{
	double start = now();
	struct rusage use;
	int status;
	pid_t pid = fork();

	if (pid < 0)
		die("fork: %s", strerror(errno));
	if (pid == 0) {
		int null = open("/dev/null", O_RDWR);

		dup2(null, 0);
		dup2(null, 1);
		execv(words[0], words);
		_exit(127);
	}
	if (wait4(pid, &status, 0, &use) != pid || status != 0)
		die("%s: status %x", words[0], (unsigned)status);
	cost[WALL] = now() - start;
	cost[CPU] = milliseconds(use.ru_utime) + milliseconds(use.ru_stime);
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double median(double *values, size_t n)
{
	qsort(values, n, sizeof(*values), compare);
	return (values[(n - 1) / 2] + values[n / 2]) / 2;
}

int main(int argc, char **argv)
{
	char *programs[2];
	double *values[NKINDS][NCOLUMNS], cost[2][NKINDS];
	size_t n;

	if (argc < 4)
		die("usage: pairs COUNT OURS THEIRS [WORD]...");
	programs[OURS] = argv[2];
	programs[THEIRS] = argv[3];
	n = number_of(argv[1]);
	for (int kind = 0; kind < NKINDS; kind++)
		for (int column = 0; column < NCOLUMNS; column++)
			values[kind][column] = xcalloc(n, sizeof(double));
	for (size_t i = 0; i < n; i++) {
		for (unsigned turn = 0; turn < 2; turn++) {
			unsigned who = (turn + i) % 2;

			argv[3] = programs[who];
			run(argv + 3, cost[who]);
		}
		for (int kind = 0; kind < NKINDS; kind++) {
			values[kind][OURS][i] = cost[OURS][kind];
			values[kind][THEIRS][i] = cost[THEIRS][kind];
			values[kind][RATIO][i] = cost[OURS][kind] / cost[THEIRS][kind];
		}
	}
	for (int kind = 0; kind < NKINDS; kind++)
		for (int column = 0; column < NCOLUMNS; column++)
			printf("%.2f%c", median(values[kind][column], n),
			       kind == WALL && column == RATIO ? '\n' : ' ');
	return 0;
}
