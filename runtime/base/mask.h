/* SPDX-License-Identifier: MIT */
/* Blocks signals for a moment. Async-signal-safe. */
#ifndef BASE_MASK_H
#define BASE_MASK_H

#include <signal.h>
#include <stdint.h>

struct mask {
	uint64_t blocked, pending; /* the thread's blocked and pending signals before mask_all() */
};

/*
 * Blocks all signals in the calling thread until mask_restore(), so that no handler runs there and
 * a limit on the size of files is an error (EFBIG), not a death by SIGXFSZ. SIGBUS is not changed:
 * counts may be in a file that somebody truncates, and a blocked SIGBUS kills.
 */
void mask_all(struct mask *mask);

/* Discards a SIGXFSZ that has come since, and unblocks the signals that mask_all() has blocked. */
void mask_restore(const struct mask *mask);

/* The signals that our handlers block while they run: all but SIGBUS. */
void mask_fill(sigset_t *set);

#endif
