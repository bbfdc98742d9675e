/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads data files again, one by one. */
#ifndef IO_PROFILE_VISIT_H
#define IO_PROFILE_VISIT_H

#include "io/profile/gmon_read.h"

/*
 * Receives file `number` of the files in the sum `all`; `file` is valid during the call. `state`
 * was made by visit_begin() for the thread. Called in several threads, so it must neither change
 * what other threads use nor write messages.
 */
typedef void visit_take(const struct profile *file, uint32_t number, void *state);

/* Makes the state of a thread, which allocates only in mem. */
typedef void *visit_begin(struct arena *mem, void *arg);

/*
 * Called for the state of each thread, in the order of their files, when no thread runs any more.
 */
typedef void visit_end(void *state, void *arg);

struct visitor {
	visit_begin *begin;
	visit_take *take;
	visit_end *end;
	void *arg;       /* passed to begin() and end() */
	bool skips_arcs; /* see profile.h */
};

/*
 * Passes on each file of a profile that profiles_read() made in mem, without its call stacks or
 * other files beside it. The list is divided among threads into consecutive parts. What workers
 * allocate lives in mem afterwards. Returns 0, or -1 after an error message: a file is not regular
 * and its bytes were not kept, or it has changed.
 */
int visit_files(const struct profile *all, enum gmon_format format, const struct visitor *visitor,
		struct arena *mem, struct diag *diag);

#endif
