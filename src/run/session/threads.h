/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the recorded threads that the user means. */
#ifndef RUN_SESSION_THREADS_H
#define RUN_SESSION_THREADS_H

#include "base/bitset.h"
#include "base/diag.h"
#include "model/recorded.h"

/*
 * Makes *threads, in mem: the threads with that name or, if there are none and `word` is a number,
 * with that number. Returns 0, or -1 after an error that lists the threads in the profile
 * `profile`. Linear.
 */
int threads_find(struct bitset *threads, const struct recorded *recorded, const char *word,
		 const char *profile, struct arena *mem, struct diag *diag);

#endif
