/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs a program with the runtime library loaded into it, which leaves recordings (--run). */
#ifndef RUN_LAUNCH_LAUNCH_H
#define RUN_LAUNCH_LAUNCH_H

#include "base/arena.h"
#include "base/diag.h"
#include "run/launch/recordings.h"

#include <stdbool.h>
#include <stdint.h>

/* Which processes are recorded. */
enum launch_children {
	LAUNCH_USUAL,    /* in a request: launch_again() records the program alone, launch_program()
			    its children, too */
	LAUNCH_ALONE,    /* the program alone */
	LAUNCH_CHILDREN, /* the program and all that it starts, until it ends */
	LAUNCH_CHILDREN_TO_END, /* the program and all that it starts, until all have ended */
};

/* The user's request. Points into the command line. */
struct launch_request {
	bool wanted;
	bool libraries; /* calls in libraries are recorded, too */
	enum launch_children children;
	const char *keep;     /* the file or directory to write to, or NULL */
	const char *passed;   /* keys for GMON, each after a comma */
	char *const *command; /* the words of the command, at least one, and a NULL */
};

/* If a signal ended the program, the exit status is this plus the signal's number. */
enum { LAUNCH_SIGNALED = 128 };

struct launch {
	const char *image; /* the executable that ran: the program, or a script's interpreter */
	struct recordings recordings;
	int pid;                       /* of the program's process */
	enum launch_children children; /* not LAUNCH_USUAL */
	uint64_t used_ns;    /* CPU time, in nanoseconds, of all these processes that have ended,
				recorded or not */
	uint64_t displaced;  /* how often these had to leave a processor to another thread */
	int status;          /* the program's exit status as a shell reports it */
	uint64_t elapsed_ns; /* how long the program's process ran, by the clock */
	uint64_t queued_ns;  /* for how long that one's first thread was ready while others ran; 0:
				not known */
	uint64_t nruns;      /* how often it ran, trials aside */
	bool stopped;        /* launch_again(): SIGINT or SIGTERM came while the program ran */
};

/*
 * Runs the command with gprof's standard files, and waits until it has ended: signals of the
 * terminal are for the program, and SIGTERM and SIGHUP are passed on to it. 0 if it has left a
 * recording; else -1, with the reason said, and with gprof's exit status in launch->status: the
 * program's if that was run. Strings live in mem.
 */
int launch_program(struct launch *launch, const struct launch_request *request, struct arena *mem,
		   struct diag *diag);

/* Descriptors for the standard files of a program. */
struct launch_files {
	int input, output, errors;
};

/*
 * Runs the command like launch_program(), one more time after the last call with this launch, which
 * is all zero at the first: the recordings of all runs are in one place. Those of this run are
 * added, unless it is a `trial`; `keep` of the request is not looked at. The caller has blocked
 * SIGINT, which is then not for the program alone: it sets launch->stopped. 0 if the program was
 * run; else -1, with the reason said, and with gprof's exit status in launch->status.
 */
int launch_again(struct launch *launch, const struct launch_request *request,
		 const struct launch_files *files, bool trial, struct arena *mem,
		 struct diag *diag);

/*
 * gprof's exit status, where `rc` is that of its own work: the program's, be there a profile or
 * not. If that is 0 and gprof's status is what the user wants (`verdict`), it is rc.
 */
int launch_end(const struct launch *launch, int rc, bool verdict);

#endif
