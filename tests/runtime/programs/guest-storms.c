/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * guest-storms STORM ROUNDS: does one thing that is hard for a profiler again and again, in two
 * threads: libraries (./storm.so comes and goes), forks, execs, threads, locks (which come and go
 * with the threads that wait for them), signals, overflows (of the stack, handled on an alternate
 * one). Tells "STORM SUM", a sum of what came of it, which depends on ROUNDS only, and ends with
 * status 3.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { THREADS = 2, SMALL_STACK = 128 << 10, ALTERNATE_STACK = 64 << 10, ENDS = 3 };

static long rounds;
static __thread volatile long handled;
static __thread sigjmp_buf escape;

/* Some time in which samples fall. Returns n. */
__attribute__((noinline)) static long calculate(long n)
{
	volatile long turns = 0;

	while (turns < n * 1000)
		turns++;
	return n;
}

static long do_libraries(long i)
{
	void *library = dlopen("./storm.so", RTLD_NOW);
	long (*work)(long) = NULL;
	long result;

	if (!library)
		return -1;
	*(void **)&work = dlsym(library, "storm_work");
	result = work ? work(i % 10) : -1;
	dlclose(library);
	return result;
}

static long do_forks(long i)
{
	pid_t child = fork();
	int status = 0;

	if (child == 0)
		_exit((int)calculate(i % 10));
	if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status))
		return -1;
	return WEXITSTATUS(status);
}

static void *begin(void *argument)
{
	return (void *)(intptr_t)calculate((long)(intptr_t)argument);
}

static long do_threads(long i)
{
	pthread_t thread;
	void *result;

	if (pthread_create(&thread, NULL, begin, (void *)(intptr_t)(i % 10)))
		return -1;
	pthread_join(thread, &result);
	return (long)(intptr_t)result;
}

/* A lock with a counter. */
struct locked {
	pthread_mutex_t lock;
	long sum;
};

static void *add(void *argument)
{
	struct locked *to = argument;

	for (int i = 0; i < 20; i++) {
		pthread_mutex_lock(&to->lock);
		to->sum += calculate(1);
		pthread_mutex_unlock(&to->lock);
	}
	return NULL;
}

static long do_locks(long i)
{
	struct locked *locked = malloc(sizeof(*locked));
	pthread_t thread[3];
	long sum;

	locked->sum = i % 10;
	pthread_mutex_init(&locked->lock, NULL);
	for (int t = 0; t < 3; t++)
		if (pthread_create(&thread[t], NULL, add, locked))
			return -1;
	for (int t = 0; t < 3; t++)
		pthread_join(thread[t], NULL);
	sum = locked->sum;
	pthread_mutex_destroy(&locked->lock);
	free(locked);
	return sum;
}

static long do_execs(long i)
{
	pid_t child = fork();
	int status = 0;

	if (child == 0) {
		execl("/proc/self/exe", "guest-storms", "nothing", NULL);
		_exit((int)(i % 10));
	}
	if (child < 0 || waitpid(child, &status, 0) < 0)
		return -1;
	return WEXITSTATUS(status);
}

static void on_signal(int signal)
{
	(void)signal;
	handled++;
}

static long do_signals(long i)
{
	long before = handled;

	for (long k = 0; k < i % 10; k++)
		raise(k % 2 ? SIGUSR1 : SIGPROF);
	return calculate(handled - before);
}

static volatile long deepest = -1; /* never reached */

static void on_overflow(int signal)
{
	(void)signal;
	siglongjmp(escape, 1);
}

__attribute__((noinline)) static long descend(long depth)
{
	volatile char frame[512];

	frame[0] = (char)depth;
	return depth == deepest ? 0 : descend(depth + 1) + frame[0];
}

static long do_overflows(long i)
{
	if (!sigsetjmp(escape, 1))
		return descend(0);
	return calculate(i % 10);
}

static const struct {
	const char *name;
	long (*work)(long);
} storms[] = { { "libraries", do_libraries }, { "forks", do_forks }, { "execs", do_execs },
	       { "threads", do_threads },     { "locks", do_locks }, { "signals", do_signals },
	       { "overflows", do_overflows } };

static void *rage(void *work)
{
	static __thread char alternate[ALTERNATE_STACK];
	stack_t stack = { .ss_sp = alternate, .ss_size = sizeof(alternate) };
	long sum = 0;

	sigaltstack(&stack, NULL);
	for (long i = 0; i < rounds; i++)
		sum += (*(long (**)(long))work)(i);
	return (void *)(intptr_t)sum;
}

int main(int argc, char **argv)
{
	struct sigaction counts = { .sa_handler = on_signal, .sa_flags = SA_RESTART };
	struct sigaction escapes = { .sa_handler = on_overflow, .sa_flags = SA_ONSTACK };
	pthread_t thread[THREADS];
	pthread_attr_t small;
	long sum = 0;

	rounds = argc > 2 ? atol(argv[2]) : 0;
	sigaction(SIGUSR1, &counts, NULL);
	sigaction(SIGPROF, &counts, NULL);
	sigaction(SIGSEGV, &escapes, NULL);
	pthread_attr_init(&small);
	pthread_attr_setstacksize(&small, SMALL_STACK + ALTERNATE_STACK);
	for (size_t s = 0; argc > 1 && s < sizeof(storms) / sizeof(storms[0]); s++) {
		if (strcmp(storms[s].name, argv[1]) != 0)
			continue;
		for (int t = 0; t < THREADS; t++)
			if (pthread_create(&thread[t], &small, rage, (void *)&storms[s].work))
				return 1;
		for (int t = 0; t < THREADS; t++) {
			void *result;

			pthread_join(thread[t], &result);
			sum += (long)(intptr_t)result;
		}
		printf("%s %ld\n", argv[1], sum);
	}
	return ENDS;
}
