/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which kinds of ticks a user means by --clock. */
#ifndef RUN_SESSION_CLOCKS_H
#define RUN_SESSION_CLOCKS_H

#include "base/diag.h"
#include "model/clock.h"
#include "model/profile.h"

struct clocks_input {
	const char *word; /* "cpu", "wall", "off", the name of a kind, or NULL for the usual: CPU
			     time, with waiting beside it where that was recorded */
	bool all_threads; /* idle ones, too */
	bool apart;       /* data files are of processes that do the same, such as ranks: one that
			     did nothing but wait is not idle, others had more to do */
};

/* Whether what is meant is known of call stacks alone: all but CPU time. */
bool clocks_need_stacks(const struct clocks_input *input);

/*
 * Fills in the clock; without call stacks to take it from it is CPU time. A note names idle threads
 * whose waiting is left out, and others what else was recorded if no word says what to show. 0, or
 * -1 with the reason said if there is no such clock. n log n in samples.
 */
int clocks_choose(struct clock *clock, const struct profile *prof, bool stacks,
		  const struct clocks_input *input, struct arena *mem, struct diag *diag);

/* Gives a profile the unit of what ticks are of, for reports and exports, if that is no CPU time.
 */
void clocks_set_unit(struct profile *prof, const struct clock *clock);

#endif
