/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A list of files that threads divide among themselves. */
#ifndef IO_PROFILE_PARTS_H
#define IO_PROFILE_PARTS_H

#include "base/arena.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdatomic.h>
#include <stdbool.h>

enum { PARTS_MOST = 4 };

struct part;

/* Works on a part. Called in threads: it touches nothing that others do, and says nothing. */
typedef void part_work(struct part *part, void *arg);

struct part {
	unsigned number;
	size_t first, end; /* of its files: [first, end) */
	struct arena mem;  /* its alone; when the system has no memory left, the work is over */
	bool exhausted;    /* that happened */
	struct parts *parts;
	pthread_t thread;
	bool started; /* as a thread */
	jmp_buf no_memory;
};

/* Threads know where it is: it stays there until all parts were waited for. */
struct parts {
	atomic_bool stopped; /* none need go on: set by who cannot, and where memory ran out */
	part_work *work;
	void *arg;
	unsigned n;
	struct part part[PARTS_MOST];
};

/* Into how many parts so many files are best divided: no more than there are processors. */
unsigned parts_count(size_t nfiles);

/* Divides files into n parts that follow each other, and starts the work on all but the first. */
void parts_start(struct parts *parts, size_t nfiles, unsigned n, part_work *work, void *arg);

/* When it returns, the work on the part is over; that on the first, which has no thread, is done
 * now. Each part is waited for once; what is in its arena is then the caller's. */
void part_wait(struct part *part);

#endif
