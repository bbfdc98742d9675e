/* SPDX-License-Identifier: GPL-3.0-or-later */
/* --run: a program run with the runtime loaded into it, and the recording that it leaves. */
#ifndef RUN_LAUNCH_LAUNCH_H
#define RUN_LAUNCH_LAUNCH_H

#include "base/arena.h"
#include "base/diag.h"
#include "run/launch/recordings.h"

#include <stdbool.h>
#include <stdint.h>

/* What the user asked for. Points into the command line. */
struct launch_request {
	bool wanted;
	bool libraries;       /* the calls in libraries are wanted, too */
	const char *keys;     /* KEY=VALUE,..., or NULL */
	char *const *command; /* with a NULL behind; one word at least */
};

/* The status of a program that a signal has ended is this and its number. */
enum { LAUNCH_SIGNALED = 128 };

struct launch {
	const char *image; /* the executable that ran */
	struct recordings recordings;
	int pid;          /* of the program's process */
	bool children;    /* those of processes that it started are there, too */
	uint64_t used_ns; /* CPU time of all of these that have ended, profiled or not */
	int status;       /* the program's, as a shell has it: 128 and the signal if one ended it */
};

/*
 * Runs the command with gprof's standard files and waits for its end: a terminal's signals are for
 * the program, and SIGTERM and SIGHUP are passed on to it. 0, and a recording is there; or -1, with
 * the reason said, and in launch->status what gprof is to exit with. Strings live in mem. To be
 * followed by launch_end() in either case.
 */
int launch_program(struct launch *launch, const struct launch_request *request, struct arena *mem,
		   struct diag *diag);

/*
 * Removes what the run has left unless it was to be kept, and returns the exit status of gprof,
 * whose reports ended with `rc`.
 */
int launch_end(const struct launch *launch, int rc);

#endif
