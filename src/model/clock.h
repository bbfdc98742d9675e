/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which of the recorded kinds of ticks are shown. */
#ifndef MODEL_CLOCK_H
#define MODEL_CLOCK_H

#include "base/bitset.h"
#include "model/recorded.h"

#include <string.h>

/* Kinds are indices of recorded.kinds, of which 0 is CPU time. */
struct clock {
	uint32_t kind;    /* the kind whose ticks are shown as times */
	uint32_t waiting; /* the kind that is shown beside these times; 0: none */
	uint32_t off;     /* the kind that measures waiting, shown or not; 0: none */
	/* The kinds of elapsed time, of the critical path, and of what others waited for locks; 0:
	 * none. */
	uint32_t elapsed, critical, blame;
	struct bitset idle; /* threads whose waiting is not shown; without bits: all are shown */
	uint32_t nidle;
	uint64_t queued_ns; /* nanoseconds in which the other threads were ready to run but had no
			       CPU */
};

/* Returns the kind with this name, or 0. Linear. */
static inline uint32_t clock_find(const struct recorded *recorded, const char *name)
{
	for (uint32_t i = 1; i < recorded->kinds.n; i++) {
		if (strcmp(recorded->kinds.at[i].name, name) == 0)
			return i;
	}
	return 0;
}

/* Whether times are waiting times. */
static inline bool clock_is_waiting(const struct clock *clock)
{
	return clock->kind != 0 && clock->kind == clock->off;
}

/* Whether times are a clock's that looks attribute to threads: elapsed time, the critical path, or
   blame. */
static inline bool clock_is_attributed(const struct clock *clock)
{
	return clock->kind != 0 && (clock->kind == clock->elapsed ||
				    clock->kind == clock->critical || clock->kind == clock->blame);
}

/* Whether times are measured by a clock and not sampled. */
static inline bool clock_is_measured(const struct clock *clock)
{
	return clock_is_waiting(clock) || clock_is_attributed(clock);
}

/* What times are that are not sampled: " of waiting". "": they are sampled, or events. */
static inline const char *clock_words(const struct clock *clock)
{
	return clock_is_waiting(clock)          ? " of waiting"
	       : !clock_is_attributed(clock)    ? ""
	       : clock->kind == clock->critical ? " of the critical path"
	       : clock->kind == clock->blame    ? " that others waited for locks"
						: " of elapsed time";
}

/* Whether a sample is waiting of an idle thread, which is not shown. */
static inline bool clock_is_idle(const struct clock *clock, const struct recorded_sample *sample)
{
	return clock->idle.bits && sample->kind == clock->off &&
	       bitset_has(clock->idle, sample->thread);
}

#endif
