/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The parts of a run from which readers of a page choose: its threads; if several processes have
 * time, those of each process.
 */
#ifndef EXPORT_WEBPARTS_H
#define EXPORT_WEBPARTS_H

#include "base/json.h"
#include "export/webpaths.h"

/* A process as the page shows it: with one program that it ran. */
struct webpart_process {
	const struct recorded_process *process; /* NULL: several, that are not listed separately */
	const char *program;                    /* its path; "" stands for several programs */
	uint32_t n;                             /* how many processes */
	uint64_t ticks, waiting;
};

struct webpart {
	uint32_t thread;  /* index in the recording; RECORDED_NONE: several */
	uint32_t process; /* index of its process; all are 0 if there are none */
	uint32_t n;       /* how many threads */
	uint64_t ticks, waiting;
};

struct webparts {
	const struct webpart *at;
	uint32_t n;                            /* 0: the page has no parts; at most 255 */
	const uint32_t *of;                    /* for each of e->trees->thread, its part */
	const struct webpart_process *process; /* those of a program follow one another */
	uint32_t nprocesses;                   /* 0: there are not several */
};

/*
 * Makes the parts, in e->mem: the threads, or processes, with most time, each of its own as long as
 * there is room, and one for the rest of each program. n log n in threads.
 */
struct webparts webparts_make(const struct export_view *e);

/*
 * Writes the members "threads" and, if there are several, "processes". A thread has for each path
 * that ends in it with ticks: the number of its frame, less that of the one before, ticks and, with
 * waiting, the waiting time. Linear in the nodes of threads.
 */
void webparts_write(const struct export_view *e, const struct webparts *parts,
		    const struct webpaths *paths, struct json *json);

#endif
