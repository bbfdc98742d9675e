/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds threads that did nothing but wait to be woken. */
#ifndef ANALYSIS_STACKS_IDLE_H
#define ANALYSIS_STACKS_IDLE_H

#include "model/clock.h"

/*
 * Leaves out the waiting of idle threads: those blocked in one place, with a single stack, for more
 * than 95 % of the time in which they were watched. They are mostly pools of workers, whose waiting
 * would hide all else. If all threads that waited are idle, none is left out, as waiting is then
 * what the program does. With `keep_busiest`, the thread of each recording with the most CPU time
 * is not left out either. Needs clock->off; the set lives in mem. n log n in samples.
 */
void idle_leave_out(struct clock *clock, const struct recorded *recorded, bool keep_busiest,
		    struct arena *mem);

#endif
