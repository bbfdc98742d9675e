/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The pager that shows output on a terminal, a screen at a time. */
#ifndef RUN_LAUNCH_PAGER_H
#define RUN_LAUNCH_PAGER_H

#include "base/arena.h"
#include "base/output.h"

#include <stdbool.h>
#include <sys/types.h>

enum { PAGER_HELD_BYTES = 16 * 1024 };

/* All zero: no pager. */
struct pager {
	pid_t process; /* the running pager, or the process that becomes it; 0: none */
	/* to that process: the end of a pipe that tells it to begin, and of the pager's input; from
	 * it: the errno if the pager cannot be run */
	int begin, input, failed;
	bool runs;
	struct output *out;
	struct arena *mem;
	struct diag *diag; /* its messages are held while the pager has the screen */
	void (*sink)(void *to, const char *line); /* where held messages go afterwards */
	void *to;
	size_t nheld;
	char held[PAGER_HELD_BYTES]; /* held messages, each with a newline */
};

/*
 * Whether a pager may show what is written to out: out is a terminal, and not a dumb one; the
 * process is in its foreground; and GPROF_PAGER or, if that is not set, PAGER names a command, else
 * it is less. An empty command and `cat` mean no pager.
 */
bool pager_is_possible(const struct output *out);

/*
 * Forks a process that becomes the pager, since this one may not execute programs any more when it
 * needs one (confine.h). Makes the first write to out start it, if the text does not fit on the
 * terminal. Until pager_end(), signals of the keyboard go to the pager, and messages to diag are
 * held. What is written after the user has left the pager is dropped without an error. If the pager
 * cannot be run, out writes to the terminal. Only if pager_is_possible(); p must outlive out.
 */
void pager_begin(struct pager *p, struct output *out, struct arena *mem, struct diag *diag);

/* After out was closed: waits until the user leaves the pager, then writes the held messages. */
void pager_end(struct pager *p);

#endif
