/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which kinds of ticks are shown: --clock. */
#ifndef RUN_SESSION_CLOCKS_H
#define RUN_SESSION_CLOCKS_H

#include "base/diag.h"
#include "model/clock.h"
#include "model/profile.h"

struct clocks_input {
	const char *word; /* "cpu", "wall", "off", the name of a kind, or NULL for the default: CPU
			     time, with waiting beside it where that was recorded */
	bool all_threads; /* idle ones are shown, too */
	bool apart;       /* data files are of processes that do the same work, such as ranks: one
			     that only waits is not idle, the others had more to do */
};

/* Whether that takes call stacks: all but CPU time does. */
bool clocks_need_stacks(const struct clocks_input *input);

/*
 * Fills in the clock: CPU time if `stacks` is false. Notes name idle threads whose waiting is left
 * out and, unless a word chose what to show, what else was recorded. 0, or -1 with the reason said
 * if there is no such clock. n log n in samples.
 */
int clocks_choose(struct clock *clock, const struct profile *prof, bool stacks,
		  const struct clocks_input *input, struct arena *mem, struct diag *diag);

/* Gives a profile the unit of the clock's ticks, if they are not CPU time. */
void clocks_set_unit(struct profile *prof, const struct clock *clock);

#endif
