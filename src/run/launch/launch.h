/* SPDX-License-Identifier: GPL-3.0-or-later */
/* --run: runs a program with the runtime loaded into it, which leaves recordings. */
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
	bool children;        /* the processes that it starts are recorded, too */
	const char *keep;     /* the file or directory to write to, or NULL */
	const char *passed;   /* keys for GMON, each after a comma */
	char *const *command; /* words, at least one, then NULL */
};

/* The exit status of a program that a signal has ended is this plus the signal. */
enum { LAUNCH_SIGNALED = 128 };

struct launch {
	const char *image; /* the executable that ran: the program, or a script's interpreter */
	struct recordings recordings;
	int pid;          /* of the program's process */
	bool children;    /* processes that the program started are recorded, too */
	uint64_t used_ns; /* CPU time of all these processes that have ended, recorded or not */
	int status;       /* the program's exit status, as a shell has it */
};

/*
 * Runs the command with gprof's standard files, and waits until it has ended: signals of the
 * terminal are for the program, and SIGTERM and SIGHUP are passed on to it. 0 if it has left a
 * recording; else -1, with the reason said, and with gprof's exit status in launch->status: the
 * program's if that was run. Strings live in mem.
 */
int launch_program(struct launch *launch, const struct launch_request *request, struct arena *mem,
		   struct diag *diag);

/* gprof's exit status: the program's unless that is 0, or else `rc`. */
int launch_end(const struct launch *launch, int rc);

#endif
