/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A line on the terminal that tells what is being done and how far it is.
 *
 * Two processes share it: the one that works says what it does, at the price of a store in memory;
 * the other one looks ten times a second and writes the line. So it is there also while a library
 * does not return. Where there is no line, all of these take NULL and do nothing.
 */
#ifndef BASE_PROGRESS_H
#define BASE_PROGRESS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <time.h>

enum { PROGRESS_NAME = 32 };

struct progress {
	/* Set by the one that works. */
	_Atomic(const char *) what;   /* a constant, at the same address for both */
	_Atomic(const char *) things; /* that are counted; NULL: a share is shown */
	atomic_size_t done, total;    /* a total of 0 is not known */

	/* Of both, of whom one at a time writes to the terminal. */
	atomic_flag busy;
	bool over;    /* text has come, so that no line will any more */
	size_t width; /* of the line that stands there; 0: none */

	/* Of the one that shows. */
	struct timespec begin, step; /* of all, and of what is being done */
	const char *shown;
	char program[PROGRESS_NAME];
};

/*
 * One to share with a child, that lasts as long as the process; NULL if stderr is no terminal.
 * program is the name the line begins with, of which the directories are left out.
 */
struct progress *progress_make(const char *program);

/*
 * What comes next: "reading symbols", of `total` parts, or 0 if nothing will tell how far it is.
 * The line is "PROGRAM: WHAT: 34 %", or has the seconds since it began.
 */
void progress_step(struct progress *p, const char *what, size_t total);

/* The same for things that users know: "PROGRAM: VERB 120 of 1000 THINGS". */
void progress_count(struct progress *p, const char *verb, const char *things, size_t total);

/* So many parts are done, or one more, by whatever thread. Meant for inner loops. */
static inline void progress_at(struct progress *p, size_t done)
{
	if (p)
		atomic_store_explicit(&p->done, done, memory_order_relaxed);
}

static inline void progress_add(struct progress *p)
{
	if (p)
		atomic_fetch_add_explicit(&p->done, 1, memory_order_relaxed);
}

/* Between these two the terminal is without the line, and the caller's. */
void progress_pause(struct progress *p);
void progress_resume(struct progress *p);

/* Erases the line for good: from now on the terminal, or a pager there, has text. */
void progress_end(struct progress *p);

/*
 * For the one that shows: writes the line as it is now, if a second has passed since the beginning
 * and the process is in the foreground; and erases it, which takes no more than the other one's
 * end, stop or silence.
 */
void progress_show(struct progress *p);
void progress_erase(struct progress *p);

#endif
