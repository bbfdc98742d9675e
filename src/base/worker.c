/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "base/worker.h"

#include <sched.h>
#include <signal.h>

#define STACK_BYTES         \
	((size_t)8 * 1024 * \
	 1024) /* the usual stack of the first thread, as libiberty calls itself recursively */

__attribute__((noreturn)) static void worker_give_up(void *arg)
{
	struct worker *worker = arg;

	longjmp(worker->give_up, 1);
}

static void *worker_run(void *arg)
{
	struct worker *worker = arg;

	worker->work(worker, worker->arg);
	return NULL;
}

/*
 * Returns how many processors this process may use, or WORKER_PARTS_MOST if they are more than a
 * processor set can hold.
 */
static unsigned worker_processors(void)
{
	cpu_set_t set;

	return sched_getaffinity(0, sizeof(set), &set) < 0 ? WORKER_PARTS_MOST
							   : (unsigned)CPU_COUNT(&set);
}

/* Starts worker->work in a thread. */
static bool worker_launch(struct worker *worker)
{
	pthread_attr_t attr;
	sigset_t all, before;
	bool started;

	if (pthread_attr_init(&attr) != 0)
		return false;
	sigfillset(&all);
	/* SIGPROF stays unblocked, so that a profile of gprof itself counts this thread. */
	sigdelset(&all, SIGPROF);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	started = pthread_attr_setstacksize(&attr, STACK_BYTES) == 0 &&
		  pthread_create(&worker->thread, &attr, worker_run, worker) == 0;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	pthread_attr_destroy(&attr);
	return started;
}

bool worker_start(struct worker *worker, const struct arena *parent,
		  void (*work)(struct worker *worker, void *arg), void *arg)
{
	if (worker_processors() < 2)
		return false;
	*worker = (struct worker){ .work = work, .arg = arg };
	worker->pool.small_pages = parent->pool && parent->pool->small_pages;
	worker->mem = (struct arena){
		.no_memory = worker_give_up, .arg = worker, .pool = &worker->pool, .aside = true
	};
	return worker_launch(worker);
}

bool worker_try(struct worker *worker, void (*part)(void *arg), void *arg)
{
	if (setjmp(worker->give_up) != 0)
		return false;
	part(arg);
	return true;
}

void worker_join(struct worker *worker)
{
	pthread_join(worker->thread, NULL);
}

unsigned worker_parts_count(size_t n)
{
	unsigned most = worker_processors();

	most = most < 1 ? 1 : most > WORKER_PARTS_MOST ? WORKER_PARTS_MOST : most;
	return n < most ? (unsigned)n : most;
}

static void worker_part_attempt(void *arg)
{
	struct worker_part *part = arg;

	part->parts->work(part, part->parts->arg);
}

static void worker_part_run(struct worker *worker, void *arg)
{
	struct worker_part *part = arg;

	if (worker_try(worker, worker_part_attempt, part))
		return;
	part->exhausted = true;
	part->parts->stopped = true;
}

void worker_parts_start(struct worker_parts *parts, size_t n, unsigned nparts,
			worker_part_work *work, void *arg)
{
	*parts = (struct worker_parts){ .work = work, .arg = arg, .n = nparts };
	for (unsigned k = nparts; k-- > 0;) {
		struct worker_part *part = &parts->part[k];

		part->number = k;
		part->first = n * k / nparts;
		part->end = n * (k + 1) / nparts;
		part->worker = (struct worker){ .work = worker_part_run, .arg = part };
		part->worker.mem =
			(struct arena){ .no_memory = worker_give_up, .arg = &part->worker };
		part->parts = parts;
		part->started = k > 0 && worker_launch(&part->worker);
	}
}

void worker_part_wait(struct worker_part *part)
{
	if (part->started)
		worker_join(&part->worker);
	else
		worker_part_run(&part->worker, part);
}
