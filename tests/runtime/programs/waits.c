/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * waits WHAT [N]: what programs do that a helper, which watches their threads, could be in the way
 * of. Each prints "as it should" if all is as without one.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <gmon.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "runnable.h"

static volatile int sink;
static int number;
static int pipe_ends[2];

static void rest(long ms)
{
	struct timespec t = { ms / 1000, ms % 1000 * 1000000 };

	while (nanosleep(&t, &t) != 0 && errno == EINTR)
		sink++;
}

static long now_us(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000L + t.tv_nsec / 1000;
}

/* Both print what they took: on a busy machine a thread comes back late. */
__attribute__((noinline)) static void first_wait(void)
{
	long start = now_us();

	rest(number);
	printf("TOOK first_wait %ld\n", now_us() - start);
	fflush(stdout);
}

__attribute__((noinline)) static void second_wait(void)
{
	long start = now_us();

	rest(number);
	printf("TOOK second_wait %ld\n", now_us() - start);
	fflush(stdout);
}

static int as_it_should(int yes)
{
	printf("%s\n", yes ? "as it should" : "not as it should");
	return !yes;
}

static int fork_twice(void)
{
	int status = 1;
	pid_t child;

	first_wait();
	fflush(stdout);
	child = fork();
	if (child == 0) {
		second_wait();
		exit(0);
	}
	waitpid(child, &status, 0);
	return as_it_should(status == 0);
}

static int exec_self(void)
{
	first_wait();
	execl("/proc/self/exe", "waits", "nothing", "10", (char *)NULL);
	return 1;
}

__attribute__((noinline)) static void *blocked(void *argument)
{
	char byte;

	sink += read(pipe_ends[0], &byte, 1) > 0;
	return argument;
}

static int exit_while_blocked(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, blocked, NULL);
	first_wait();
	return as_it_should(1);
}

/* Whether all threads have this user. */
static int all_are(unsigned user)
{
	DIR *tasks = opendir("/proc/self/task");
	struct dirent *task;
	int all = 1;

	while (tasks && (task = readdir(tasks))) {
		char name[300], line[200];
		FILE *status;
		unsigned user_now[4] = { 0 };

		snprintf(name, sizeof(name), "/proc/self/task/%s/status", task->d_name);
		status = task->d_name[0] == '.' ? NULL : fopen(name, "r");
		while (status && fgets(line, sizeof(line), status))
			if (sscanf(line, "Uid: %u %u %u %u", user_now, user_now + 1, user_now + 2,
				   user_now + 3) == 4)
				for (int i = 0; i < 4; i++)
					all &= user_now[i] == user;
		if (status)
			fclose(status);
	}
	if (tasks)
		closedir(tasks);
	return all;
}

static int give_up_rights(void)
{
	enum { NOBODY = 65534 };
	pthread_t thread;
	int seen = 0;

	pthread_create(&thread, NULL, blocked, NULL);
	first_wait();
	if (setgid(NOBODY) || setuid(NOBODY))
		return 77;
	for (int i = 0; i < 1000 && !seen; i++) {
		rest(10);
		seen = all_are(NOBODY);
	}
	second_wait();
	return as_it_should(seen);
}

static void *last(void *argument)
{
	first_wait();
	as_it_should(1);
	return argument;
}

static int leave_main(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, last, NULL);
	pthread_exit(NULL);
}

static int count_descriptors(void)
{
	DIR *list = opendir("/proc/self/fd");
	int n = 0;

	while (list && readdir(list))
		n++;
	closedir(list);
	return n - 3; /* ".", ".." and its own */
}

static int look_at_descriptors(void)
{
	int before = count_descriptors(), at;

	first_wait();
	close(0);
	at = dup(1);
	return as_it_should(at == 0 && count_descriptors() == before);
}

static void *brief(void *argument)
{
	rest(1);
	return argument;
}

static int many_threads(void)
{
	int failed = 0;

	for (int i = 0; i < number; i++) {
		pthread_t thread[8];
		void *result;

		for (int k = 0; k < 8; k++)
			failed += pthread_create(&thread[k], NULL, brief, NULL) != 0;
		for (int k = 0; k < 8; k++)
			failed += pthread_join(thread[k], &result) != 0;
	}
	return as_it_should(!failed);
}

static int forget(void)
{
	first_wait();
	gmon_reset();
	second_wait();
	return as_it_should(1);
}

static int dump(void)
{
	first_wait();
	if (gmon_dump())
		return 1;
	kill(getpid(), SIGKILL);
	return 1;
}

static int be_killed(void)
{
	first_wait();
	kill(getpid(), SIGKILL);
	return 1;
}

/* Kills whoever asks for one of the calls that a helper makes. */
static int sandbox(unsigned flags)
{
	static const int calls[] = { SYS_getrusage, SYS_pread64,    SYS_process_vm_readv,
				     SYS_capget,    SYS_getdents64, SYS_statx };
	struct sock_filter filter[2 * sizeof(calls) / sizeof(calls[0]) + 2];
	struct sock_fprog program = { 0, filter };
	struct timespec t = { 0, 100000000 };

	filter[program.len++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 0);
	for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++) {
		filter[program.len++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K,
								     (unsigned)calls[i], 0, 1);
		filter[program.len++] =
			(struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS);
	}
	filter[program.len++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	first_wait();
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	    syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &program))
		return 77;
	for (int i = 0; i < 5; i++)
		nanosleep(&t, NULL);
	return as_it_should(1);
}

static int sandbox_of_one(void)
{
	return sandbox(0);
}

static int sandbox_of_all(void)
{
	return sandbox(SECCOMP_FILTER_FLAG_TSYNC);
}

/* Of the calling thread, in ms: what the kernel has counted as neither running nor runnable. */
static double waited_until_now(void)
{
	unsigned long long run = 0, queued = 0;
	FILE *file = fopen("/proc/thread-self/schedstat", "r");
	struct timespec now;

	if (!file || fscanf(file, "%llu %llu", &run, &queued) != 2)
		exit(77);
	fclose(file);
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6 - (double)(run + queued) / 1e6;
}

/* Each time that it is told to, and a moment later, it is all that its processor does. */
static void be_busy(long moment_ns)
{
	const struct timespec moment = { 0, moment_ns };
	struct timespec begin, now;
	char told;

	while (read(pipe_ends[0], &told, 1) == 1) {
		nanosleep(&moment, NULL);
		clock_gettime(CLOCK_MONOTONIC, &begin);
		do
			clock_gettime(CLOCK_MONOTONIC, &now);
		while ((now.tv_sec - begin.tv_sec) * 1000 +
			       (now.tv_nsec - begin.tv_nsec) / 1000000 <
		       400);
	}
	_exit(0);
}

/* A process with which the calling one shares a processor, and which comes first. 0: not permitted.
 */
static pid_t make_busy(long moment_ns)
{
	const struct sched_param first = { .sched_priority = 1 };
	cpu_set_t one;
	pid_t busy;

	CPU_ZERO(&one);
	CPU_SET(sched_getcpu(), &one);
	if (sched_setaffinity(0, sizeof(one), &one))
		return 0;
	busy = fork();
	if (!busy)
		be_busy(moment_ns);
	if (!sched_setscheduler(busy, SCHED_FIFO, &first))
		return busy;
	kill(busy, SIGKILL);
	return 0;
}

/* After each of its waits another process has its processor for long. Says how many ms it has
 * waited. */
static int stand_in_line(void)
{
	double before;
	pid_t busy = make_busy(2000000);

	if (!busy)
		return 77;
	before = waited_until_now();
	for (int i = 0; i < 8; i++) {
		if (write(pipe_ends[1], "", 1) != 1)
			return 99;
		rest(5);
	}
	printf("%.0f\n", waited_until_now() - before);
	kill(busy, SIGKILL);
	return as_it_should(1);
}

static void *wait_and_end(void *argument)
{
	first_wait();
	sink += write(pipe_ends[1], "", 1) == 1;
	return argument;
}

/* All threads of the process, on the processor of this one. */
static void stay_together(void)
{
	DIR *tasks = opendir("/proc/self/task");
	struct dirent *task;
	cpu_set_t one;

	sched_getaffinity(0, sizeof(one), &one);
	while (tasks && (task = readdir(tasks)))
		if (task->d_name[0] != '.')
			sched_setaffinity(atoi(task->d_name), sizeof(one), &one);
	if (tasks)
		closedir(tasks);
}

/* When a thread has ended, somebody else has the processor for long. */
static int end_unseen(void)
{
	pid_t busy = make_busy(300000);
	pthread_t thread;

	if (!busy)
		return 77;
	stay_together();
	pthread_create(&thread, NULL, wait_and_end, NULL);
	pthread_join(thread, NULL);
	rest(10);
	kill(busy, SIGKILL);
	return as_it_should(1);
}

static void *compute(void *queued)
{
	struct timespec used;

	do {
		for (int i = 0; i < 100000; i++)
			sink += i;
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
	} while (used.tv_sec == 0 && used.tv_nsec < 200000000);
	*(long *)queued = (long)(runnable_seconds() * 1e6);
	return NULL;
}

/* Threads on one processor, of which none ever waits. Says how long they were in its queue. */
static int compete(void)
{
	enum { NTHREADS = 3 };
	pthread_t thread[NTHREADS];
	long queued[NTHREADS], sum = 0;

	stay_together();
	for (int i = 0; i < NTHREADS; i++)
		pthread_create(&thread[i], NULL, compute, &queued[i]);
	for (int i = 0; i < NTHREADS; i++) {
		pthread_join(thread[i], NULL);
		sum += queued[i];
	}
	printf("QUEUED %ld\n", sum);
	return as_it_should(sum > 0);
}

static int nothing(void)
{
	return as_it_should(1);
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		int (*run)(void);
	} all[] = {
		{ "fork", fork_twice },
		{ "exec", exec_self },
		{ "exit", exit_while_blocked },
		{ "setuid", give_up_rights },
		{ "last", leave_main },
		{ "descriptors", look_at_descriptors },
		{ "many", many_threads },
		{ "reset", forget },
		{ "dump", dump },
		{ "kill", be_killed },
		{ "sandbox", sandbox_of_one },
		{ "sandbox-all", sandbox_of_all },
		{ "line", stand_in_line },
		{ "unseen", end_unseen },
		{ "compete", compete },
		{ "nothing", nothing },
	};

	number = argc > 2 ? atoi(argv[2]) : 100;
	if (pipe(pipe_ends))
		return 1;
	for (size_t i = 0; argc > 1 && i < sizeof(all) / sizeof(all[0]); i++)
		if (strcmp(argv[1], all[i].name) == 0)
			return all[i].run();
	return 99;
}
