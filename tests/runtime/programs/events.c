/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * events [WHAT]: touch() is the first to use 10000 pages, touch_more() 3000.
 *   (nothing)   that is all
 *   fork        a child uses 500 in touch(), too
 *   close       all descriptors but 0 to 2 are closed before, and one is opened
 *   threads     400 threads use 10 more each in touch(); tells of mappings
 *   exec        becomes itself, and tells of mappings
 *   wait        spins and sleeps; tells how many sleeps ended early
 *   time        asks the time first, which is in pages of the kernel's
 *   spin        uses 0.3 s of CPU time; tells how much since main()
 *
 * "Mappings" are counters that are mapped, and descriptors. No run may take 5 s of CPU time.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "used.h"

#ifndef MADV_NOHUGEPAGE
#define MADV_NOHUGEPAGE 15
#endif

enum { THREADS = 400, WAITS = 2000 };

/* So many new pages. */
static char *get(size_t n)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	char *memory =
		mmap(NULL, n * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (memory == MAP_FAILED)
		_exit(99);
	madvise(memory, n * page, MADV_NOHUGEPAGE);
	return memory;
}

__attribute__((noinline)) void touch(volatile char *memory, size_t n)
{
	for (size_t i = 0, page = (size_t)sysconf(_SC_PAGESIZE); i < n; i++)
		memory[i * page] = 1;
}

__attribute__((noinline)) void touch_more(volatile char *memory, size_t n)
{
	for (size_t i = 0, page = (size_t)sysconf(_SC_PAGESIZE); i < n; i++)
		memory[i * page] = 2;
}

static void *run(void *argument)
{
	touch(get(10), 10);
	return argument;
}

static int mappings(void)
{
	FILE *maps = fopen("/proc/self/maps", "r");
	char line[4096];
	int n = 0;

	while (maps && fgets(line, sizeof(line), maps))
		n += strstr(line, "perf_event") != NULL;
	fclose(maps);
	return n;
}

static int descriptors(void)
{
	DIR *dir = opendir("/proc/self/fd");
	int n = -1; /* its own */

	for (struct dirent *entry; (entry = readdir(dir));)
		n += entry->d_name[0] != '.';
	closedir(dir);
	return n;
}

static double used(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

__attribute__((noinline)) void spin(double until)
{
	while (used() < until)
		for (volatile int i = 0; i < USED_STEPS; i++)
			;
}

static void wait_often(void)
{
	int early = 0;

	for (int i = 0; i < WAITS; i++) {
		for (volatile int k = 0; k < 20000; k++)
			;
		early += poll(NULL, 0, 0) < 0;
		early += nanosleep(&(struct timespec){ 0, 1000 }, NULL) < 0;
	}
	printf("early %d\n", early);
}

static void start_threads(void)
{
	pthread_t thread;

	for (int i = 0; i < THREADS; i++) {
		if (pthread_create(&thread, NULL, run, NULL))
			_exit(99);
		pthread_join(thread, NULL);
	}
	printf("mappings %d descriptors %d\n", mappings(), descriptors());
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	const struct rlimit limit = { 5, 5 };
	const double start = used();
	struct timespec now;

	setrlimit(RLIMIT_CPU, &limit);

	if (!strcmp(what, "executed")) {
		printf("mappings %d descriptors %d\n", mappings(), descriptors());
		return 0;
	}
	for (int fd = 3; !strcmp(what, "close") && fd < 100; fd++)
		close(fd);
	if (!strcmp(what, "close"))
		printf("descriptor %d\n", open("/dev/null", O_RDONLY));
	if (!strcmp(what, "time"))
		clock_gettime(CLOCK_MONOTONIC, &now);
	touch(get(10000), 10000);
	touch_more(get(3000), 3000);
	if (!strcmp(what, "fork")) {
		pid_t child = fork();

		if (child == 0)
			touch(get(500), 500);
		else
			waitpid(child, NULL, 0);
	} else if (!strcmp(what, "threads")) {
		start_threads();
	} else if (!strcmp(what, "exec")) {
		execl("/proc/self/exe", "a.out", "executed", (char *)NULL);
	} else if (!strcmp(what, "wait")) {
		wait_often();
	} else if (!strcmp(what, "spin")) {
		spin(0.3);
		printf("used %.6f\n", used() - start);
	}
	return 0;
}
