/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Threads that help the thread which starts them: a single one, or several that divide a list.
 * Results never depend on them: if there is no thread, or one gets no memory, the starting thread
 * does all the work itself. A thread that gets no memory gives up by longjmp().
 */
#ifndef BASE_WORKER_H
#define BASE_WORKER_H

#include "base/arena.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdatomic.h>
#include <stdbool.h>

/* Used by the thread, so it must not be moved before worker_join(). */
struct worker {
	struct arena_pool pool;
	struct arena mem; /* the thread's memory; after worker_join() the caller's */
	void (*work)(struct worker *worker, void *arg);
	void *arg;
	jmp_buf give_up;
	pthread_t thread;
};

/*
 * Starts work(worker, arg) in a thread that gets no signals and has a stack of 8 MiB. Returns false
 * if there is only one processor for this process, or if no thread can be started; then
 * worker_join() must not be called. Starting and joining takes 20 microseconds.
 */
bool worker_start(struct worker *worker, const struct arena *parent,
		  void (*work)(struct worker *worker, void *arg), void *arg);

/*
 * For use in the thread: calls part(arg), whose only memory must come from worker->mem or from
 * scratch arenas of it. Returns false if part() was left early because these arenas had no memory.
 * What part() has allocated in other arenas is then lost.
 */
bool worker_try(struct worker *worker, void (*part)(void *arg), void *arg);

/* Waits until the thread has ended. */
void worker_join(struct worker *worker);

enum { WORKER_PARTS_MOST = 4 };

struct worker_part;

/*
 * Works on a part of the list. Called in threads, so it must neither change what other threads use
 * nor write messages.
 */
typedef void worker_part_work(struct worker_part *part, void *arg);

/* Consecutive elements of a list. */
struct worker_part {
	unsigned number;
	size_t first, end;    /* elements from `first` up to, but not including, `end` */
	struct worker worker; /* worker.mem is the part's memory; it has no pool */
	bool exhausted;       /* there was no memory, and the work is not complete */
	struct worker_parts *parts;
	bool started; /* a thread works on it */
};

/* Must not be moved until all parts were waited for. */
struct worker_parts {
	atomic_bool stopped; /* no part need continue; set by a part that cannot continue, or has no
				memory */
	worker_part_work *work;
	void *arg;
	unsigned n;
	struct worker_part part[WORKER_PARTS_MOST];
};

/* Returns into how many parts n elements should be divided: at most one a processor. */
unsigned worker_parts_count(size_t n);

/* Divides n elements into nparts parts, and starts the work on all but the first. */
void worker_parts_start(struct worker_parts *parts, size_t n, unsigned nparts,
			worker_part_work *work, void *arg);

/*
 * Waits until the work on a part is done; the first part, which has no thread, is worked on now. To
 * be called once for each part; what is in the part's arena is then the caller's.
 */
void worker_part_wait(struct worker_part *part);

#endif
