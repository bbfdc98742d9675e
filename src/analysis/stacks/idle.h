/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Threads that did nothing but wait to be woken. */
#ifndef ANALYSIS_STACKS_IDLE_H
#define ANALYSIS_STACKS_IDLE_H

#include "model/clock.h"

/*
 * Leaves out the waiting of threads that were blocked in one place, a single stack, for more than
 * 95 % of the time that they were watched: pools of workers, whose waiting would hide all else.
 * If all that waited are such threads, none is left out: then it is what the program does; nor,
 * with `keep_busiest`, is of any recording the thread that used the most CPU time. Needs
 * clock->off; the set lives in mem. n log n in samples.
 */
void idle_leave_out(struct clock *clock, const struct recorded *recorded, bool keep_busiest,
		    struct arena *mem);

#endif
