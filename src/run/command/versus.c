/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * main.c has run the two programs (launch/experiment.h); here their recordings are compared as
 * those of --diff are, and the totals are shown before them.
 */
#include "config.h"

#include "report/verdict.h"
#include "run/command/diff.h"
#include "run/command/history.h"
#include "run/command/slower.h"

#include <stdlib.h>

/* Functions are tested if they have this many samples on a side, as --diff does. */
enum { LEAST_SAMPLES = 5 };

static struct session_input versus_input(const struct command *c, enum difference_side k)
{
	struct session_input input = input_of_launch(&c->opt->input, &c->experiment->launch[k]);

	input.used_ns = 0; /* that is of the last run alone */
	return input;
}

/* The totals take half of the probability of an error; the functions get the other half. */
static struct diff_request versus_request(const struct paired *paired)
{
	return (struct diff_request){
		.compare = { .level = 100.0 - (100.0 - paired->level) / 2.0,
			     .least = LEAST_SAMPLES },
	};
}

int versus_run(const struct command *c)
{
	const struct experiment *e = c->experiment;
	const struct paired *paired = &e->paired;
	struct diff_pairs pairs = { .request = versus_request(paired), .paired = paired };
	bool sampled = true,
	     complete = paired->ending != PAIRED_FAILED && paired->ending != PAIRED_INTERRUPTED;
	struct history history;
	int status;

	for (int k = 0; k < SIDES; k++) {
		pairs.input[k] = versus_input(c, (enum difference_side)k);
		sampled = sampled && e->launch[k].recordings.used.n > 0;
	}
	if (sampled) {
		status = diff_run_pairs(c, &pairs);
	} else {
		diag_note(c->diag,
			  "no samples: functions are not compared, and no exports written");
		if (c->history >= 0 && history_add_pairs(&history, c, NULL) < 0)
			return EXIT_FAILURE;
		verdict_write(paired, NULL, c->opt->report.brief, c->report);
		status = slower_check(&c->opt->versus, paired, NULL, c->diag) ? COMMAND_SLOWER
									      : EXIT_SUCCESS;
	}
	return status == EXIT_SUCCESS && !complete ? EXIT_FAILURE : status;
}
