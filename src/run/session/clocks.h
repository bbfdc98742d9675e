/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Chooses which kinds of ticks are shown (--clock). */
#ifndef RUN_SESSION_CLOCKS_H
#define RUN_SESSION_CLOCKS_H

#include "base/diag.h"
#include "model/clock.h"
#include "model/profile.h"

struct clocks_input {
	const char
		*word; /* "cpu", "wall", "off", or the name of a kind, such as "critical"; NULL: the
			  default, which is CPU time, with waiting beside it if that was recorded */
	bool all_threads; /* idle threads are shown, too */
	bool apart; /* data files are of processes that do the same work, such as ranks: one that
		       only waits is not idle, but waits for others that have more to do */
};

/* Whether this clock needs call stacks: all but CPU time do. */
bool clocks_need_stacks(const struct clocks_input *input);

/*
 * Fills in the clock; CPU time if `stacks` is false. Notes name idle threads whose waiting is left
 * out and, unless a word chose the clock, what else was recorded. Returns 0, or -1 after saying
 * that there is no such clock. n log n in samples.
 */
int clocks_choose(struct clock *clock, const struct profile *prof, bool stacks,
		  const struct clocks_input *input, struct arena *mem, struct diag *diag);

/* Sets the profile's unit to that of the clock's ticks, if these are not CPU time. */
void clocks_set_unit(struct profile *prof, const struct clock *clock);

#endif
