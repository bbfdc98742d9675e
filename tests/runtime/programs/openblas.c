/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Factors matrices by OpenBLAS, whose constructor starts threads, and tells "USED SECONDS" of the
 * CPU time of main(); then of each thread "THREAD SECONDS TICKS", its CPU time and, in seconds, how
 * many of the kernel's ticks hit it. The library's header is in another package than it.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { N = 1000, TIMES = 30, SECOND_NS = 1000000000 };

/* Cholesky's factor of an n by n matrix, in its place. */
extern void dpotrf_(const char *half, const int *n, double *matrix, const int *row, int *error);

static double used(void)
{
	struct timespec time;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / SECOND_NS;
}

/* The numbers of clocks of a thread, as the kernel has them. */
enum { EXACT = 6, TICKS = 4 };

static double by(long tid, int clock)
{
	struct timespec time = { 0, 0 };

	clock_gettime((clockid_t)(~tid * 8 | clock), &time);
	return (double)time.tv_sec + (double)time.tv_nsec / SECOND_NS;
}

static void tell_threads(void)
{
	DIR *dir = opendir("/proc/self/task");
	const struct dirent *entry;
	long tid;

	while (dir && (entry = readdir(dir)))
		if ((tid = strtol(entry->d_name, NULL, 10)) > 0)
			printf("THREAD %.6f %.6f\n", by(tid, EXACT), by(tid, TICKS));
	if (dir)
		closedir(dir);
}

int main(void)
{
	const int n = N;
	double start = used(), *matrix = calloc((size_t)N * N, sizeof(*matrix));
	int error = !matrix;

	for (int i = 0; i < TIMES && !error; i++) {
		for (int k = 0; k < N * N; k++)
			matrix[k] = k % (N + 1) == 0 ? N + 1 : 1;
		dpotrf_("U", &n, matrix, &n, &error);
	}
	printf("USED %.6f\n", used() - start);
	tell_threads();
	return error != 0;
}
