/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Threads that help the one that starts them, on other processors: a single one, or several that
 * divide a list. Nothing depends on them: where there are none, or where one gets no memory, the
 * first thread does it all. A thread that gets no memory gives up by longjmp().
 */
#ifndef BASE_WORKER_H
#define BASE_WORKER_H

#include "base/arena.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdatomic.h>
#include <stdbool.h>

/* The thread uses it: it must not move until it was joined. */
struct worker {
	struct arena_pool pool;
	struct arena mem; /* the thread's; after worker_join() it is the caller's */
	void (*work)(struct worker *worker, void *arg);
	void *arg;
	jmp_buf give_up;
	pthread_t thread;
};

/*
 * Starts work(worker, arg) in a thread that gets no signals, whose stack has 8 MiB. False if there
 * is only one processor for this process, or no thread: then nothing is to be joined. To start and
 * to join one takes 20 microseconds, measured.
 */
bool worker_start(struct worker *worker, const struct arena *parent,
		  void (*work)(struct worker *worker, void *arg), void *arg);

/*
 * For the thread: calls part(arg), whose only memory is of worker->mem or of scratch arenas made of
 * it. False if it was left halfway, since there was no memory, or by no_memory() of these arenas.
 * What part() has allocated in arenas that it made itself is then lost.
 */
bool worker_try(struct worker *worker, void (*part)(void *arg), void *arg);

/* Waits for the end of its work. */
void worker_join(struct worker *worker);

enum { WORKER_PARTS_MOST = 4 };

struct worker_part;

/* Works on a part. Called in threads, so it must not touch what other threads use, nor give
 * messages. */
typedef void worker_part_work(struct worker_part *part, void *arg);

/* Consecutive elements of a list. */
struct worker_part {
	unsigned number;
	size_t first, end;    /* [first, end) */
	struct worker worker; /* worker.mem is the part's memory, without a pool */
	bool exhausted;       /* there was no memory: the work is not complete */
	struct worker_parts *parts;
	bool started; /* as a thread */
};

/* Must not move until all parts were waited for. */
struct worker_parts {
	atomic_bool stopped; /* no part need go on: set by one that cannot, or has no memory */
	worker_part_work *work;
	void *arg;
	unsigned n;
	struct worker_part part[WORKER_PARTS_MOST];
};

/* Into how many parts n elements are best divided: no more than there are processors. */
unsigned worker_parts_count(size_t n);

/* Divides n elements into nparts parts, and starts the work on all but the first. */
void worker_parts_start(struct worker_parts *parts, size_t n, unsigned nparts,
			worker_part_work *work, void *arg);

/* Waits until the work on the part is over; that on the first, which has no thread, is done now.
 * Each part is waited for once; what is in its arena is then the caller's. */
void worker_part_wait(struct worker_part *part);

#endif
