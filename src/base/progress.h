/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A line on the terminal that says what the program does and how far it is.
 *
 * Two processes share it. The working process stores in shared memory what it does, at the price of
 * a store; the other process reads that ten times a second and writes the line, so the line appears
 * also while a library does not return. If there is no line, progress is NULL, and all functions
 * accept that and do nothing.
 */
#ifndef BASE_PROGRESS_H
#define BASE_PROGRESS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <time.h>

enum { PROGRESS_NAME = 32 };

struct progress {
	/* Written by the working process: */
	_Atomic(const char *) what; /* a constant text, at the same address in both processes */
	_Atomic(const char *)
		things; /* what is counted, such as "files"; NULL: the line shows percent */
	atomic_size_t done, total; /* total is 0 if it is not known */

	/* Lock: only one process at a time writes to the terminal. */
	atomic_flag busy;
	bool over;    /* text was written to the terminal, so the line will not appear again */
	size_t width; /* columns of the line on the terminal; 0: there is none */

	/* Used by the other process only: */
	struct timespec begin, step; /* when the program began, and when the current step began */
	const char *shown;
	char program[PROGRESS_NAME];
};

/*
 * Allocates memory for progress that can be shared with a child process; it is never freed. Returns
 * NULL if stderr is no terminal. The line begins with the last component of `program`.
 */
struct progress *progress_make(const char *program);

/*
 * Begins a step such as "reading symbols" with `total` parts; 0: the number is not known. The line
 * is "PROGRAM: WHAT: 34 %"; without a total it has the seconds since the step began.
 */
void progress_step(struct progress *p, const char *what, size_t total);

/* Begins a step that counts things users know: "PROGRAM: VERB 120 of 1000 THINGS". */
void progress_count(struct progress *p, const char *verb, const char *things, size_t total);

/*
 * Sets the number of parts done, or adds one; any thread may call this. Cheap enough for inner
 * loops.
 */
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

/* Between pause and resume the line is erased, and the caller may write to the terminal. */
void progress_pause(struct progress *p);
void progress_resume(struct progress *p);

/* Erases the line for good: text was written to the terminal, or to a pager there. */
void progress_end(struct progress *p);

/*
 * For the other process: show writes the line, if a second has passed since the beginning and the
 * process is in the foreground; erase removes it, for instance when the working process ended, was
 * stopped, or writes no more.
 */
void progress_show(struct progress *p);
void progress_erase(struct progress *p);

#endif
