/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The recordings of a run, and the files in which they are kept. */
#ifndef RUN_LAUNCH_RECORDINGS_H
#define RUN_LAUNCH_RECORDINGS_H

#include "base/arena.h"
#include "base/array.h"
#include "base/diag.h"
#include "run/launch/windows.h"

#include <stdbool.h>

struct recordings {
	const char *directory;  /* of the files that are kept, one for each process; or NULL */
	const char *file;       /* the one that is kept; or NULL */
	struct windows windows; /* what the processes of a run record in */
	window_numbers used;    /* those with a recording, once the run has ended */
	/*
	 * If several runs of a program were recorded (launch_again()): how many, and for each of
	 * `used` the number of its run, from 0, ascending. 0: these are of one run.
	 */
	uint32_t nruns;
	ARRAY(uint32_t) run_of;
	ARRAY(const char *) list; /* files of a directory */
};

/*
 * Makes a place for recordings, and for the files in which the user wants to `keep` them, unless
 * that is NULL. If keep ends in a slash or is a directory, each process gets a file there, unless
 * the program is recorded `alone`; it is made, or must be empty. Else keep is a file; one that
 * exists is an error unless it is a profile of this user. 0, or -1 with the reason
 * said. Strings live in mem, or are `keep`.
 */
int recordings_place(struct recordings *r, const char *keep, bool alone, struct arena *mem,
		     struct diag *diag);

/*
 * Adds the recordings from window `first` on as those of one more run. Linear in them.
 */
void recordings_add_run(struct recordings *r, uint64_t first, struct arena *mem);

/* Drops the run that was added last. */
void recordings_drop_run(struct recordings *r);

/* The names of files to keep, as a pattern for the runtime's GMON=file=, in mem. */
const char *recordings_pattern(const struct recordings *r, struct arena *mem);

/* The name of the file in which recording i, of that program and process, is kept: r->file, or one
 * that nothing has, with a note if that is not the next after it. In mem. */
const char *recordings_name(const struct recordings *r, size_t i, const char *program, unsigned pid,
			    struct arena *mem, struct diag *diag);

/*
 * Sets r->list to the files that a run has left in r->directory, by name: the recording of each
 * process, or if there is none, its live counts. n log n.
 */
void recordings_find(struct recordings *r, struct arena *mem);

#endif
