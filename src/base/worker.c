/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "base/worker.h"

#include <sched.h>
#include <signal.h>

#define STACK_BYTES \
	((size_t)8 * 1024 * 1024) /* what the first thread mostly has: libiberty recurs */

__attribute__((noreturn)) static void worker_give_up(void *arg)
{
	struct worker *second = arg;

	longjmp(second->give_up, 1);
}

static void *worker_run(void *arg)
{
	struct worker *second = arg;

	second->work(second, second->arg);
	return NULL;
}

/* On a machine with more processors than the set has room for, there is no answer. */
static bool worker_has_processor(void)
{
	cpu_set_t set;

	return sched_getaffinity(0, sizeof(set), &set) < 0 || CPU_COUNT(&set) > 1;
}

bool worker_start(struct worker *second, const struct arena *parent,
		  void (*work)(struct worker *second, void *arg), void *arg)
{
	pthread_attr_t attr;
	sigset_t all, before;
	bool started;

	if (!worker_has_processor() || pthread_attr_init(&attr) != 0)
		return false;
	*second = (struct worker){ .work = work, .arg = arg };
	second->pool.small_pages = parent->pool && parent->pool->small_pages;
	second->mem = (struct arena){
		.no_memory = worker_give_up, .arg = second, .pool = &second->pool, .aside = true
	};
	sigfillset(&all);
	/* That one comes to be counted, by who profiles gprof. */
	sigdelset(&all, SIGPROF);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	started = pthread_attr_setstacksize(&attr, STACK_BYTES) == 0 &&
		  pthread_create(&second->thread, &attr, worker_run, second) == 0;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	pthread_attr_destroy(&attr);
	return started;
}

bool worker_try(struct worker *second, void (*part)(void *arg), void *arg)
{
	if (setjmp(second->give_up) != 0)
		return false;
	part(arg);
	return true;
}

void worker_join(struct worker *second)
{
	pthread_join(second->thread, NULL);
}
