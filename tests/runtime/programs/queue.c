/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * queue THREADS MS [wake]: so many threads wait for one lock, which the first thread has, until it
 * has worked for MS milliseconds of elapsed time, and say how long all of them together did, in
 * seconds. With "wake" they sleep for 4 to 8 ms again and again instead, and it does nothing but
 * say at the end what CPU time the helper of libgmon has used, in parts of that time; what it has
 * used in the second half, in parts of that; and, in parts of all the time, what it takes here to
 * read three files of each thread:
 *
 *     ALL 99.8123
 *     HELPER 0.0071
 *     LATER 0.0058
 *     READ 0.0017
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { MOST_THREADS = 200 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static volatile unsigned sink;
static volatile int done;
static double waited; /* by those that have got the lock */

static double now_by(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static double now(void)
{
	return now_by(CLOCK_MONOTONIC);
}

__attribute__((noinline)) static void work(double s)
{
	double end = now() + s;

	while (now() < end)
		for (unsigned i = 0; i < 10000; i++)
			sink += i;
}

static void *wait_for_lock(void *unused)
{
	double since = now();

	pthread_mutex_lock(&lock);
	waited += now() - since;
	pthread_mutex_unlock(&lock);
	return unused;
}

static void *wake_up(void *given)
{
	unsigned random = (unsigned)(long)given;

	while (!done) {
		struct timespec t = { 0, 4000000 };

		random = random * 1103515245 + 12345;
		t.tv_nsec += (random >> 8) % 4000 * 1000;
		nanosleep(&t, NULL);
	}
	return NULL;
}

/* Reads the first line of a thread's file. */
static const char *read_line(const char *tid, const char *name, char line[64])
{
	char path[300];
	FILE *file;

	snprintf(path, sizeof(path), "/proc/self/task/%s/%s", tid, name);
	file = fopen(path, "r");
	if (!file || !fgets(line, 64, file))
		*line = '\0';
	if (file)
		fclose(file);
	return line;
}

/* Returns the CPU time of the helper in seconds. */
static double used_by_helper(void)
{
	DIR *tasks = opendir("/proc/self/task");
	const struct dirent *task;
	double used = 0;
	char line[64];

	while (tasks && (task = readdir(tasks)))
		if (strcmp(read_line(task->d_name, "comm", line), "gmon\n") == 0)
			used = atof(read_line(task->d_name, "schedstat", line)) / 1e9;
	return used;
}

/* Returns what CPU time this thread takes to read three files of each one, in seconds. */
static double used_to_read(void)
{
	static const char *const names[] = { "schedstat", "syscall", "stat" };
	DIR *tasks = opendir("/proc/self/task");
	const struct dirent *task;
	double begin = now_by(CLOCK_THREAD_CPUTIME_ID);
	char line[64];

	while (tasks && (task = readdir(tasks)))
		for (int i = 0; i < 3; i++)
			read_line(task->d_name, names[i], line);
	if (tasks)
		closedir(tasks);
	return now_by(CLOCK_THREAD_CPUTIME_ID) - begin;
}

/* Prints the figures of what others do that wake up for so many seconds. */
static void print_costs(double s)
{
	double begin = now(), middle, half, end, all;

	usleep((unsigned)(s / 2 * 1e6));
	middle = now();
	half = used_by_helper();
	usleep((unsigned)(s / 2 * 1e6));
	end = now();
	all = used_by_helper();
	printf("HELPER %.4f\n", all / (end - begin));
	printf("LATER %.4f\n", (all - half) / (end - middle));
	printf("READ %.4f\n", used_to_read() / (end - begin));
}

int main(int argc, char **argv)
{
	pthread_t thread[MOST_THREADS];
	int n = argc > 2 ? atoi(argv[1]) : 0;
	void *(*run)(void *) = argc > 3 ? wake_up : wait_for_lock;

	if (n < 1 || n > MOST_THREADS)
		return 2;
	pthread_mutex_lock(&lock);
	for (int i = 0; i < n; i++)
		if (pthread_create(&thread[i], NULL, run, (void *)(long)i))
			return 1;
	if (argc > 3) {
		print_costs(atoi(argv[2]) / 1000.0);
		done = 1;
	} else {
		work(atoi(argv[2]) / 1000.0);
	}
	pthread_mutex_unlock(&lock);
	for (int i = 0; i < n; i++)
		pthread_join(thread[i], NULL);
	if (run == wait_for_lock)
		printf("ALL %.4f\n", waited);
	return 0;
}
