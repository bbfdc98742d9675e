/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the recordings of a run lie: one file, or a directory with one for each process. */
#ifndef RUN_LAUNCH_RECORDINGS_H
#define RUN_LAUNCH_RECORDINGS_H

#include "base/arena.h"
#include "base/array.h"
#include "base/diag.h"

#include <stdbool.h>

struct recordings {
	const char *directory; /* that all are in; NULL: there is one file of the user's choice */
	const char *file;      /* the one of the program, or NULL: they have names of their own */
	bool passing;          /* the directory is for this run alone */
	ARRAY(const char *) list;
};

/*
 * Makes a place: `keep` as the user has it, or if that is NULL a new directory for temporary files.
 * With `many`, keep is a directory, which may be there if it is empty; else a file, which may be
 * there if it is a profile, and is removed, so that the run does not seem to have left it. 0, or -1
 * with the reason said. Strings live in mem, or are `keep`.
 */
int recordings_place(struct recordings *r, const char *keep, bool many, struct arena *mem,
		     struct diag *diag);

/* What the runtime has to call a recording of the process: a pattern of GMON=file=, in mem. */
const char *recordings_pattern(const struct recordings *r, struct arena *mem);

/*
 * Finds what was left there, r->list, by name: whole recordings, and for a process that left none
 * the file of its counts while it ran. n log n.
 */
void recordings_find(struct recordings *r, struct arena *mem);

/* Removes the directory with all that is in it, if it is for the run alone. */
void recordings_remove(const struct recordings *r);

#endif
