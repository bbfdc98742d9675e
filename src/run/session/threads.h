/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which of the recorded threads a user means. */
#ifndef RUN_SESSION_THREADS_H
#define RUN_SESSION_THREADS_H

#include "base/bitset.h"
#include "base/diag.h"
#include "model/recorded.h"

/*
 * Adds those with the name `word`, or if there are none and it is a number, with that number, to
 * *threads, which is made in mem. 0, or -1 with the reason said if none is meant: with the threads
 * there are, in the profile called `profile`. Linear.
 */
int threads_find(struct bitset *threads, const struct recorded *recorded, const char *word,
		 const char *profile, struct arena *mem, struct diag *diag);

#endif
