/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The pager that shows output on a terminal, a screen at a time. */
#ifndef RUN_LAUNCH_PAGER_H
#define RUN_LAUNCH_PAGER_H

#include "base/arena.h"
#include "base/output.h"

#include <sys/types.h>

enum { PAGER_HELD_BYTES = 16 * 1024 };

/* All zero: none. */
struct pager {
	pid_t process; /* the running pager, or 0 */
	struct output *out;
	struct arena *mem;
	struct diag *diag; /* its messages are held while the pager has the screen, */
	void (*sink)(void *to, const char *line); /* and then go here */
	void *to;
	size_t nheld;
	char held[PAGER_HELD_BYTES]; /* lines with their newlines */
};

/*
 * Whether a pager may show what is written to out: out is a terminal, not a dumb one, the process
 * is in its foreground, and there is a command: GPROF_PAGER, or else PAGER, or else less. An empty
 * command and `cat` mean no pager.
 */
bool pager_is_possible(const struct output *out);

/*
 * Starts a pager at the first write to out, if the text does not fit the terminal. Until
 * pager_end(), signals of the keyboard are for the pager, and messages to diag wait; what is
 * written after the user has left the pager is dropped without an error. If the pager cannot be
 * run, out writes to the terminal. Only where pager_is_possible(); p must outlive out.
 */
void pager_begin(struct pager *p, struct output *out, struct arena *mem, struct diag *diag);

/* After out was closed: waits until the user leaves the pager, and writes the held messages. */
void pager_end(struct pager *p);

#endif
