/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A second thread, which helps the one that starts it, on another processor. Nothing depends on it:
 * where there is none, or where it gets no memory, the first one does it all.
 */
#ifndef BASE_WORKER_H
#define BASE_WORKER_H

#include "base/arena.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdbool.h>

/* The thread knows where it is: it stays there until it was joined. */
struct worker {
	struct arena_pool pool;
	struct arena mem; /* the thread's; from worker_join() on it is the caller's */
	void (*work)(struct worker *second, void *arg);
	void *arg;
	jmp_buf give_up;
	pthread_t thread;
};

/*
 * Starts work(second, arg) in a thread that gets no signals, whose stack has 8 MiB. False if there
 * is only one processor for this process, or no thread: then nothing is to be joined. To start and
 * to join one takes 20 microseconds, measured.
 */
bool worker_start(struct worker *second, const struct arena *parent,
		  void (*work)(struct worker *second, void *arg), void *arg);

/*
 * For the thread: calls part(arg), whose only memory is of second->mem or of scratch arenas made of
 * it. False if it was left halfway, since there was no memory, or by no_memory() of these arenas.
 * What is allocated in arenas of its own is then lost.
 */
bool worker_try(struct worker *second, void (*part)(void *arg), void *arg);

/* Waits for the end of its work. */
void worker_join(struct worker *second);

#endif
