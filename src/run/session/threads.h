/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which of the recorded threads a user means. */
#ifndef RUN_SESSION_THREADS_H
#define RUN_SESSION_THREADS_H

#include "base/bitset.h"
#include "base/diag.h"
#include "model/recorded.h"

/*
 * Makes *threads, in mem: the threads of that name or, if there are none and `word` is a number, of
 * that number. 0, or -1 with an error that lists the threads in the profile called `profile`.
 * Linear.
 */
int threads_find(struct bitset *threads, const struct recorded *recorded, const char *word,
		 const char *profile, struct arena *mem, struct diag *diag);

#endif
