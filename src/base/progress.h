/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A line on the terminal that tells how far a long step has come. */
#ifndef BASE_PROGRESS_H
#define BASE_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <time.h>

struct progress {
	const char *program;  /* without directories, for the line to be short */
	struct timespec next; /* when to say the next thing */
	bool off;             /* stderr is no terminal */
	size_t width;         /* of the line that stands there */
};

/* Begins a step of the program, whose name must outlive the result. Nothing is said for a second.
 */
struct progress progress_begin(const char *program);

/* Says "NAME: read DONE of TOTAL profiles" on stderr if it is a terminal, ten times a second. */
void progress_show(struct progress *p, size_t done, size_t total);

/* Erases the line, if there is one. It may come again. */
void progress_erase(struct progress *p);

#endif
