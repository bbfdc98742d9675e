/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which kinds of ticks a user means by --clock. */
#ifndef RUN_CLOCKS_H
#define RUN_CLOCKS_H

#include "base/diag.h"
#include "model/clock.h"

/*
 * Fills in the clock for `word`: "cpu", "wall", "off", the name of a kind, or NULL for the usual:
 * CPU time, with waiting beside it where that was recorded. 0, or -1 with the reason said if there
 * is none such in the profile called `profile`.
 */
int clocks_choose(struct clock *clock, const struct recorded *recorded, const char *word,
		  const char *profile, struct arena *mem, struct diag *diag);

/* A note that names the threads whose waiting is left out, if any are. */
void clocks_note_idle(const struct clock *clock, const struct recorded *recorded, struct arena *mem,
		      struct diag *diag);

#endif
