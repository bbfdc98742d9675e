/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs two programs in turn, in pairs, until it is certain which one is faster (--versus). */
#ifndef RUN_LAUNCH_EXPERIMENT_H
#define RUN_LAUNCH_EXPERIMENT_H

#include "model/paired.h"
#include "run/launch/launch.h"

/* A slowdown that is a failure. */
struct experiment_limit {
	const char *function; /* NULL: of the total */
	double percent;
};

/* The user's request. Points into the command line, or into a copy. */
struct experiment_request {
	bool wanted;
	char **command;    /* the words of the base; its arguments are the new program's if there is
			      one word only */
	uint32_t runs;     /* the most pairs; 0: no limit but the time */
	double seconds;    /* for all pairs together; 0: no limit but the pairs */
	double level;      /* confidence level in percent */
	bool ignores;      /* outputs are not compared */
	uint64_t seed;     /* of the order within pairs; 0: another each time */
	const char *label; /* the name of the new program in a history; NULL: not named */
	ARRAY(struct experiment_limit) limits;
};

enum { EXPERIMENT_MOST_PAIRS = 10000, EXPERIMENT_USUAL_PAIRS = 30 };

struct experiment {
	struct launch launch[SIDES]; /* each with the recordings of its runs in pairs */
	struct paired paired;
};

/*
 * Runs both programs once to warm up, then in pairs, in a random order within each, and compares
 * their totals. Standard input is read once and given to each run. Outputs go to temporary files,
 * where they are compared; what programs say on standard error is seen of the first run of each
 * only. It ends when the pairs or the seconds of the request are spent; if a total has changed for
 * certain; or if a limit of the total, with no limit of a function, certainly holds or not.
 * SIGINT, SIGTERM, a crash or another exit status end it, too, with the pairs that there are.
 *
 * `fresh` is the request to run the new program. 0; or -1 with the reason said if there is no pair,
 * with gprof's exit status in *status. Strings live in mem.
 */
int experiment_run(struct experiment *e, const struct experiment_request *request,
		   const struct launch_request *fresh, int *status, struct arena *mem,
		   struct diag *diag);

#endif
