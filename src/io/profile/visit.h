/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads data files again, one by one. */
#ifndef IO_PROFILE_VISIT_H
#define IO_PROFILE_VISIT_H

#include "io/profile/gmon_read.h"

/*
 * Takes file `number` of those that `all` is the sum of; `file` is valid until it returns. `state`
 * is what visit_begin() made for the thread. Called in several threads, so it must not touch what
 * other threads use, nor give messages.
 */
typedef void visit_take(const struct profile *file, uint32_t number, void *state);

/* Makes the state of a worker, which allocates only in mem. */
typedef void *visit_begin(struct arena *mem, void *arg);

/* Called for each worker, in the order of their files, when no other one runs. */
typedef void visit_end(void *state, void *arg);

struct visitor {
	visit_begin *begin;
	visit_take *take;
	visit_end *end;
	void *arg;       /* for begin and end */
	bool skips_arcs; /* as profile.h has it */
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
