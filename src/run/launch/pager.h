/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What shows the output of a terminal a screen at a time. */
#ifndef RUN_LAUNCH_PAGER_H
#define RUN_LAUNCH_PAGER_H

#include "base/arena.h"
#include "base/output.h"

#include <sys/types.h>

enum { PAGER_HELD_BYTES = 16 * 1024 };

/* All zero: none. */
struct pager {
	pid_t process; /* that runs, or 0 */
	struct output *out;
	struct arena *mem;
	struct diag *diag; /* whose messages are held while it runs: the screen is not ours */
	void (*sink)(void *to, const char *line); /* where they go then */
	void *to;
	size_t nheld;
	char held[PAGER_HELD_BYTES]; /* lines with their newlines */
};

/*
 * Whether what goes to out may have to be shown by a pager: out is the terminal that the process is
 * in the foreground of, which is not a dumb one, and there is a command, GPROF_PAGER or else PAGER
 * or else less. One that is empty or `cat` means none.
 */
bool pager_is_possible(const struct output *out);

/*
 * From the first write on out, if that has more than fits the terminal, to pager_end(), a pager
 * shows it; then signals of the keyboard are for the pager, messages to diag wait for its end, and
 * whatever comes when it has ended is dropped without an error. If it cannot be run, out goes on to
 * the terminal. To be called where pager_is_possible(); p must outlive out.
 */
void pager_begin(struct pager *p, struct output *out, struct arena *mem, struct diag *diag);

/* When out has been closed: waits for the user to end the pager, and says what was held. */
void pager_end(struct pager *p);

#endif
