/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Threads, signals and forks in one program: each of a few threads calls, has signals handled whose
 * handler calls, and forks children that call. One child writes its truth to the file "child", and
 * its number to "pid".
 */
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "truth.h"

enum { THREADS = 4, ROUNDS = 30, CALLS = 500, SIGNALS = 7 };

APART void shared(void)
{
	__asm__ volatile("");
}

APART void handle(int signal)
{
	(void)signal;
	shared();
	NO_TAIL_CALL;
}

APART void in_child(void)
{
	shared();
	NO_TAIL_CALL;
}

UNCOUNTED static void say_of_child(void)
{
	FILE *truth = fopen("child", "w"), *pid = fopen("pid", "w");

	if (!truth || !pid)
		_exit(2);
	fprintf(truth, "ARC fork_once in_child %d\nARC in_child shared %d\n", CALLS, CALLS);
	fprintf(pid, "%ld\n", (long)getpid());
	if (fclose(truth) || fclose(pid))
		_exit(2);
}

APART void fork_once(int tells)
{
	pid_t child = fork();
	int status = 1;

	if (child == 0) {
		for (int i = 0; i < CALLS; i++)
			in_child();
		if (!tells)
			_exit(0);
		say_of_child();
		exit(0);
	}
	if (child < 0 || waitpid(child, &status, 0) != child || status != 0)
		_exit(1);
}

APART void *work(void *first)
{
	for (int round = 0; round < ROUNDS; round++) {
		for (int i = 0; i < CALLS; i++)
			shared();
		for (int i = 0; i < SIGNALS; i++)
			raise(SIGUSR1);
		fork_once(first && round == ROUNDS / 2);
	}
	return NULL;
}

int main(void)
{
	const struct sigaction action = { .sa_handler = handle };
	pthread_t thread[THREADS];

	sigaction(SIGUSR1, &action, NULL);
	for (long i = 0; i < THREADS; i++) {
		if (pthread_create(&thread[i], NULL, work, i == 0 ? &thread : NULL))
			return 1;
	}
	for (int i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
	arc(OUTSIDE, "work", THREADS);
	arc("work", "shared", (uint64_t)THREADS * ROUNDS * CALLS);
	arc("work", "fork_once", THREADS * ROUNDS);
	arc("*", "handle", THREADS * ROUNDS * SIGNALS);
	arc("handle", "shared", THREADS * ROUNDS * SIGNALS);
	return 0;
}
