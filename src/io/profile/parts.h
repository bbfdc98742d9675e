/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Divides a list of files among threads. */
#ifndef IO_PROFILE_PARTS_H
#define IO_PROFILE_PARTS_H

#include "base/arena.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdatomic.h>
#include <stdbool.h>

enum { PARTS_MOST = 4 };

struct part;

/* Works on a part. Called in threads, so it must not touch what other threads use, nor give
 * messages. */
typedef void part_work(struct part *part, void *arg);

struct part {
	unsigned number;
	size_t first, end; /* its files: [first, end) */
	struct arena
		mem; /* used by this part only; if the system has no memory left, the work ends */
	bool exhausted; /* memory ran out */
	struct parts *parts;
	pthread_t thread;
	bool started; /* has a thread */
	jmp_buf no_memory;
};

/* Threads have its address, so it must stay there until all parts were waited for. */
struct parts {
	atomic_bool stopped; /* the others can stop: set by a worker that gives up, and if memory
				runs out */
	part_work *work;
	void *arg;
	unsigned n;
	struct part part[PARTS_MOST];
};

/* The best number of parts for so many files: at most that of processors. */
unsigned parts_count(size_t nfiles);

/* Divides files into n consecutive parts, and starts the work on all but the first. */
void parts_start(struct parts *parts, size_t nfiles, unsigned n, part_work *work, void *arg);

/* Waits until the work on the part is over; the first one, which has no thread, is done now. To
 * be called once for each part; its arena then belongs to the caller. */
void part_wait(struct part *part);

#endif
