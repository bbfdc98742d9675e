/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Counts its own calls, for calls.sh: recursion, exceptions through frames, longjmp, tail calls,
 * signal handlers, threads, forks, coroutines, and functions that are called by pointer, too.
 * Prints "NAME CALLS" for each function. Arguments: a file to print to; how many rounds (1).
 */
#include <atomic>
#include <csetjmp>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <pthread.h>
#include <stdexcept>
#include <sys/time.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#define FUNCTION extern "C" __attribute__((noinline, noclone, noipa, aligned(16)))
#define NAMES(X)                                                                                \
	X(leaf)                                                                                 \
	X(thrower) X(catcher) X(last) X(tail) X(factorial) X(jumper) X(worker) X(turn) X(mixed) \
		X(bystander)

enum {
	ONCE,
	leaf,
	thrower,
	catcher,
	last,
	tail,
	factorial,
	jumper,
	worker,
	turn,
	mixed,
	bystander,
	FUNCTIONS
};
static std::atomic<long> calls[FUNCTIONS];

FUNCTION void called_leaf()
{
	calls[leaf]++;
}
FUNCTION void called_bystander()
{
	calls[bystander]++;
}
FUNCTION void called_mixed()
{
	calls[mixed]++;
}

FUNCTION void called_thrower(int i)
{
	struct guard {
		~guard()
		{
			called_leaf();
		}
	} guard;

	calls[thrower]++;
	if (i % 5 == 0)
		throw std::runtime_error("for the catcher");
	called_leaf();
}

FUNCTION void called_catcher(int i)
{
	calls[catcher]++;
	try {
		called_thrower(i);
	} catch (const std::exception &) {
		called_leaf();
	}
}

/* In a section of its own, so that the jump to it has 32 bits. */
FUNCTION __attribute__((section("called_far"))) long called_last(long a, long b, long c)
{
	calls[last]++;
	return a * b - c;
}

FUNCTION long called_tail(long a)
{
	calls[tail]++;
	return called_last(a, a, 1);
}

/* The result is used after the call, in a way that makes no loop of it. */
FUNCTION double called_factorial(int n)
{
	calls[factorial]++;
	return n < 2 ? 1 : n + 1 / called_factorial(n - 1);
}

static jmp_buf back;
FUNCTION void called_jumper(int i)
{
	calls[jumper]++;
	if (i & 1)
		longjmp(back, 1);
}

FUNCTION void *called_worker(void *)
{
	void (*volatile pointer)() = called_mixed;

	calls[worker]++;
	for (int i = 0; i < 20000; i++) {
		called_leaf();
		called_mixed();
		pointer();
	}
	return nullptr;
}

static ucontext_t here, there;
FUNCTION void called_turn()
{
	calls[turn]++;
}
static void turns()
{
	for (;;) {
		called_turn();
		swapcontext(&there, &here);
	}
}

static volatile int alarmed;

static void on_alarm(int)
{
	called_bystander();
	alarmed = 1; /* so that the call is none at the end */
}

static void take_turns()
{
	static char stack[65536];

	getcontext(&there);
	there.uc_stack.ss_sp = stack;
	there.uc_stack.ss_size = sizeof(stack);
	makecontext(&there, turns, 0);
	for (int i = 0; i < 1000; i++)
		swapcontext(&here, &there);
}

static void start_threads()
{
	pthread_t thread[8];

	for (auto &t : thread)
		pthread_create(&t, nullptr, called_worker, nullptr);
	for (auto &t : thread)
		pthread_join(t, nullptr);
}

static void *call_leaf(void *n)
{
	for (int i = 0; i < *static_cast<int *>(n); i++)
		called_leaf();
	return nullptr;
}

/* What a child and its threads count is in its own memory: so the parent adds it. */
static void *start_children(void *)
{
	int own = 500, of_thread = 300;

	for (int i = 0; i < 3; i++) {
		pid_t child = fork();

		if (child == 0) {
			pthread_t thread;

			call_leaf(&own);
			pthread_create(&thread, nullptr, call_leaf, &of_thread);
			pthread_join(thread, nullptr);
			_exit(0);
		}
		waitpid(child, nullptr, 0);
		calls[leaf] += own + of_thread;
	}
	return nullptr;
}

/* From the first thread, and from another one. */
static void start_all_children()
{
	pthread_t thread;

	start_children(nullptr);
	pthread_create(&thread, nullptr, start_children, nullptr);
	pthread_join(thread, nullptr);
}

static void alarms(bool on)
{
	struct itimerval often = {};

	signal(SIGALRM, on_alarm);
	often.it_value.tv_usec = often.it_interval.tv_usec = on ? 700 : 0;
	setitimer(ITIMER_REAL, &often, nullptr);
}

static void all(int round)
{
	volatile long sum = round;

	alarms(true);
	for (int i = 0; i < 2000; i++)
		called_catcher(i);
	for (int i = 0; i < 30000; i++)
		sum = sum + called_tail(i);
	sum = sum + static_cast<long>(called_factorial(90));
	for (volatile int i = 0; i < 2000; i = i + 1)
		if (!setjmp(back))
			called_jumper(i);
	for (int i = 0; i < 500000; i++)
		called_leaf();
	alarms(false);
	take_turns();
	start_threads();
	start_all_children();
}

int main(int argc, char **argv)
{
	FILE *to = argc > 1 ? fopen(argv[1], "w") : stdout;
	int rounds = argc > 2 ? atoi(argv[2]) : 1;

	for (int i = 0; i < rounds; i++)
		all(i);
#define PRINT(name) fprintf(to, "called_" #name " %ld\n", calls[name].load());
	NAMES(PRINT)
	return fclose(to) ? 1 : 7;
}
