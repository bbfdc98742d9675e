// SPDX-License-Identifier: GPL-3.0-or-later
//
// storms WHAT SECONDS [DIRECTORY]: for so long, in four threads. WHAT is one of throws: exceptions
// through five frames. plugins: dlopen and dlclose of a.so and b.so of DIRECTORY. forks: children,
// which call and throw, and end. coroutines: contexts that switch, each on a stack of its own.
// comings: threads that come and go. dumps: gmon_dump() and gmon_reset() beside exceptions.
// signals: exceptions, into which handlers of a timer call, and handlers that jump out.
//
// Then "CALLED N": how often counted() was called in this process, or with dumps "CALLED -".
#include <atomic>
#include <csetjmp>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <gmon.h>
#include <pthread.h>
#include <stdexcept>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include "truth.h"

#pragma weak gmon_dump
#pragma weak gmon_reset

namespace
{
enum { THREADS = 4, COROUTINES = 3, STACK = 65536 };

std::atomic<unsigned long> called;
std::atomic<bool> failed;
double until;
const char *directory;
} // namespace

UNCOUNTED static double now()
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

UNCOUNTED static bool goes_on()
{
	return now() < until;
}

// Its name has no arguments.
extern "C" APART void counted(unsigned long *n)
{
	++*n;
}

APART int fall(int depth, unsigned long *n)
{
	counted(n);
	if (depth == 0)
		throw std::runtime_error("at the bottom");
	return fall(depth - 1, n) + 1;
}

APART void throws(unsigned long *n)
{
	for (int i = 0; i < 200; i++) {
		try {
			fall(5, n);
			failed = true;
		} catch (const std::runtime_error &) {
		}
	}
}

APART void call_plugin(const char *name, unsigned long *n)
{
	char path[4096];
	void *object;
	int (*plugin)(void (*)(double), double);

	snprintf(path, sizeof(path), "%s/%s", directory, name);
	object = dlopen(path, RTLD_NOW);
	plugin = object ? (int (*)(void (*)(double), double))dlsym(object, "plugin") : nullptr;
	if (!plugin) {
		failed = true;
		return;
	}
	plugin([](double) {}, 0);
	counted(n);
	dlclose(object);
}

APART void plugins(unsigned long *n)
{
	call_plugin("a.so", n);
	call_plugin("b.so", n);
}

APART void forks(unsigned long *n)
{
	pid_t child = fork();
	int status = 1;

	if (child == 0) {
		unsigned long own = 0;

		throws(&own);
		_exit(own == 200 * 6 ? 0 : 1);
	}
	throws(n);
	if (child < 0 || waitpid(child, &status, 0) != child || status != 0)
		failed = true;
}

struct coroutines {
	ucontext_t main, context[COROUTINES];
	unsigned long *n;
	int turn;
};

APART void coroutine(unsigned high, unsigned low)
{
	coroutines *all = (coroutines *)((uintptr_t)high << 16 << 16 | low);
	int self = all->turn;

	for (;;) {
		throws(all->n);
		swapcontext(&all->context[self], &all->main);
	}
}

APART void switches(unsigned long *n)
{
	static thread_local coroutines all;
	static thread_local char *stacks;

	if (!stacks) {
		stacks = new char[COROUTINES * STACK];
		for (all.turn = 0; all.turn < COROUTINES; all.turn++) {
			ucontext_t *context = &all.context[all.turn];
			uintptr_t address = (uintptr_t)&all;

			getcontext(context);
			context->uc_stack.ss_sp = stacks + all.turn * STACK;
			context->uc_stack.ss_size = STACK;
			context->uc_link = &all.main;
			makecontext(context, (void (*)())coroutine, 2,
				    (unsigned)(address >> 16 >> 16), (unsigned)address);
		}
	}
	all.n = n;
	for (all.turn = 0; all.turn < COROUTINES; all.turn++)
		swapcontext(&all.main, &all.context[all.turn]);
}

APART void *brief(void *n)
{
	throws((unsigned long *)n);
	return nullptr;
}

APART void comings(unsigned long *n)
{
	pthread_t thread;

	if (pthread_create(&thread, nullptr, brief, n))
		failed = true;
	else
		pthread_join(thread, nullptr);
}

APART void dumps(unsigned long *n)
{
	throws(n);
	if (gmon_dump())
		failed = true;
	if (*n % 7 == 0)
		gmon_reset();
}

thread_local unsigned long handled;
thread_local sigjmp_buf out;

APART void on_alarm(int)
{
	counted(&handled);
}

APART void on_jump(int)
{
	counted(&handled);
	siglongjmp(out, 1);
}

UNCOUNTED static void let_alarms(int how)
{
	sigset_t alarms;

	sigemptyset(&alarms);
	sigaddset(&alarms, SIGALRM);
	pthread_sigmask(how, &alarms, nullptr);
}

/* Before threads begin: they have alarms only in signals(). */
UNCOUNTED static void start_alarms()
{
	const struct itimerval often = { { 0, 200 }, { 0, 200 } };

	let_alarms(SIG_BLOCK);
	signal(SIGALRM, on_alarm);
	signal(SIGUSR1, on_jump);
	setitimer(ITIMER_REAL, &often, nullptr);
}

APART void signals(unsigned long *n)
{
	let_alarms(SIG_UNBLOCK);
	throws(n);
	if (!sigsetjmp(out, 1))
		raise(SIGUSR1);
	let_alarms(SIG_BLOCK);
	*n += handled;
	handled = 0;
}

APART void *work(void *storm)
{
	unsigned long n = 0;

	while (goes_on())
		((void (*)(unsigned long *))storm)(&n);
	called += n;
	return nullptr;
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*storm)(unsigned long *);
	} storms[] = { { "throws", throws },       { "plugins", plugins }, { "forks", forks },
		       { "coroutines", switches }, { "comings", comings }, { "dumps", dumps },
		       { "signals", signals } };
	const char *what = argc > 2 ? argv[1] : "";
	pthread_t thread[THREADS];
	bool is_dumps = strcmp(what, "dumps") == 0;

	until = now() + (argc > 2 ? atof(argv[2]) : 0);
	directory = argc > 3 ? argv[3] : ".";
	if (strcmp(what, "signals") == 0)
		start_alarms();
	for (const auto &one : storms)
		if (strcmp(what, one.name) == 0) {
			for (auto &t : thread)
				pthread_create(&t, nullptr, work, (void *)one.storm);
			for (auto &t : thread)
				pthread_join(t, nullptr);
		}
	if (is_dumps)
		printf("CALLED -\n");
	else
		printf("CALLED %lu\n", called.load());
	return failed || !called;
}
