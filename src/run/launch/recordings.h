/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The recordings of a run: one file, or a directory with one for each process. */
#ifndef RUN_LAUNCH_RECORDINGS_H
#define RUN_LAUNCH_RECORDINGS_H

#include "base/arena.h"
#include "base/array.h"
#include "base/diag.h"

#include <stdbool.h>

struct recordings {
	const char *directory; /* of all; NULL: there is one file, which the user chose */
	const char *file;      /* that of the program; NULL: the runtime names them */
	bool passing;          /* the directory is temporary */
	ARRAY(const char *) list;
};

/*
 * Makes a place for recordings: `keep`, or if that is NULL, a new temporary directory. With `many`,
 * keep is a directory, which is made, or is empty. Else it is a file; one that exists is removed if
 * it is a profile, so that it is not taken for a recording of this run, and is an error if not. 0,
 * or -1 with the reason said. Strings live in mem, or are `keep`.
 */
int recordings_place(struct recordings *r, const char *keep, bool many, struct arena *mem,
		     struct diag *diag);

/* The names of recordings, as a pattern for the runtime's GMON=file=, in mem. */
const char *recordings_pattern(const struct recordings *r, struct arena *mem);

/*
 * Sets r->list to what the run has left, by name: the recording of each process, or if there is
 * none, its live counts. n log n.
 */
void recordings_find(struct recordings *r, struct arena *mem);

/* Removes a temporary directory with all files in it. */
void recordings_remove(const struct recordings *r);

#endif
