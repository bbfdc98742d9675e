/* SPDX-License-Identifier: MIT */
/*
 * A thread that is watched from outside: how long it waited, and where. Nothing is sent to it.
 *
 * The kernel counts for each thread how long it ran, how long it could have run while others did,
 * and how often it was started. What is left of the time by the clock on the wall is waiting. So
 * the sum is exact, whatever is seen; only where the thread waited is found out by looking. If
 * nothing was counted since the last look, it is blocked where it was. Else what it has waited
 * since it was last found blocked is divided between that place and where it is blocked now: of a
 * wait that began and ended between looks, each half the distance of two on average, and none of it
 * lost. Time in the queue of runnable threads is counted when it is over: until then a thread that
 * was woken is told from one that waits by asking what it is blocked in. Where looks are at random
 * places, times of short waits that are never seen twice are right on average as well.
 *
 * In the helper alone (offcpu_helper.h). Times are ns.
 */
#ifndef WAIT_OFFCPU_H
#define WAIT_OFFCPU_H

#include <stdbool.h>
#include <stdint.h>

#include "record/stacks.h"
#include "wait/thread_exits.h"

/* As the kernel counts. */
struct offcpu_times {
	uint64_t run, queued, slices;
};

struct offcpu {
	int32_t tid;               /* the kernel's number; 0: nobody is watched here */
	uint32_t record;           /* in the roster, or THREAD_RECORDS_UNKNOWN: none so far */
	struct thread_exit *end;   /* for it: constant, not NULL */
	int times, call;           /* descriptors of `schedstat` and `syscall` */
	bool blocked;              /* it was at the last look, at `place` */
	bool ended;                /* it was found to have, though its number is still there */
	bool placed;               /* `place` is where it was last found blocked */
	uint64_t since;            /* when it was first looked at, by CLOCK_MONOTONIC, */
	struct offcpu_times first; /* and what the kernel had counted */
	uint64_t seen;             /* the last look, */
	struct offcpu_times last;  /* the same */
	uint64_t charged;          /* of the time that it waited, how much some place has got */
	uint64_t told_life, told_queued; /* what the roster knows */
	struct stacks_wait place;
};

/* What the looks of one round have in common. */
struct offcpu_round {
	int directory;    /* of all threads' directories */
	uint64_t before;  /* threads that were not there then have begun since; 0: not known */
	uint32_t among;   /* times that are charged stand for all these threads, ... */
	uint32_t watched; /* ... of which so many are watched */
	bool last;        /* what there is is charged now, as far as it is known */
	uint64_t quiet;   /* when it was last known that nobody had done anything since */
	int32_t asker;    /* the thread whose order this is, and which waits for that; or 0 */
	uint64_t asked;   /* since when */
};

/*
 * Begins to watch a living thread. One that is new has begun in the middle, on average, of the time
 * in which it must have. False: it has ended, or the kernel does not let us.
 */
bool offcpu_open(struct offcpu *watch, const struct offcpu_round *round, int32_t tid);

/* Looks at it. False: it has ended; what it had is charged. */
bool offcpu_look(struct offcpu *watch, const struct offcpu_round *round);

/* Begins anew: what came before is not charged. */
void offcpu_restart(struct offcpu *watch);

/* Closes its descriptors. */
void offcpu_close(struct offcpu *watch);

/* Whether the kernel tells all this of the calling thread. 0 or -errno. */
long offcpu_try(void);

#endif
