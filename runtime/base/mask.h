/* SPDX-License-Identifier: MIT */
/* Keeping signals away for a moment. Async-signal-safe. */
#ifndef BASE_MASK_H
#define BASE_MASK_H

#include <signal.h>
#include <stdint.h>

struct mask {
	uint64_t blocked, pending; /* before */
};

/*
 * No handler runs in the calling thread until mask_restore(), and a limit on the sizes of files is
 * an error (EFBIG) instead of a signal. SIGBUS stays as it is: counts may lie in a file that
 * somebody cuts short, and a blocked SIGBUS kills.
 */
void mask_all(struct mask *mask);

/* Takes a SIGXFSZ that came meanwhile back, and lets the others come. */
void mask_restore(const struct mask *mask);

/* What a handler of ours blocks: all but SIGBUS. */
void mask_fill(sigset_t *set);

#endif
