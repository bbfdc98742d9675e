/* SPDX-License-Identifier: MIT */
/*
 * Elapsed time: what made the process last as long as it did. Ticks of CPU time count what 64
 * threads do in a second 64 times. Here each moment of the process counts once, in two ways:
 *
 *   KINDS_ELAPSED    is divided equally among the threads that have a processor or are ready for
 *                    one. While there are none, it belongs to the wait that ends first: that of the
 *                    thread which runs next.
 *   KINDS_CRITICAL   is the first thread's while that runs. While it waits, it belongs to the
 * thread that it waits for (holder.h), or that this one waits for, and so on, or to the wait at the
 * end of this chain.
 *
 *                0         1         2         3 s
 *   first thread  ##work##  ....join...........        elapsed:  work 1, big 1.5, small 0.5
 *   second                  ####big############        critical: work 1, big 2
 *   third                   ##small##
 *
 * Where the chain ends in futex() and nothing tells for whom a thread waits, as with condition
 * variables, that is guessed: of the threads that run, the one that waits least. Such ticks have
 * quality GMON_EXT_GUESSED. If none runs, it is the wait that ends first.
 *
 * The stacks of time in which no thread ran or was ready are below a node GMON_EXT_ALL_WAIT. Which
 * wait ends first is known when it does, so up to a second is charged late.
 *
 * Each round of looks charges the time since the round before, by what the threads do now, so the
 * ticks of each kind add up to the time that was recorded. A thread that runs is not interrupted
 * for that: its time waits until it has been sampled again, and belongs to that stack. A thread
 * that was woken, and has no processor yet, is still where it waited.
 *
 * Where rounds leave threads out (thin.h), the first thread is always looked at, and so are those
 * on the way to the end of its waiting. How many of the others run is taken from those that were
 * looked at: else a part of the run in which all wait would not be seen until each has had its
 * turn.
 *
 * Only the helper (offcpu_helper.h) may call these functions. Times are nanoseconds, points in time
 * by CLOCK_MONOTONIC.
 */
#ifndef WAIT_ELAPSED_H
#define WAIT_ELAPSED_H

#include <stdint.h>

#include "wait/offcpu.h"

struct elapsed {
	uint64_t until; /* all time until then is charged */
	uint32_t turn;  /* which of those that wait are checked next */
	bool woken;     /* of those that were checked last, one had been woken */
	/* ns in which nobody ran, which wait for the wait that ends first: of KINDS_ELAPSED, and of
	 * KINDS_CRITICAL */
	uint64_t quiet[2];
	/* Of the threads that ran at the last look before, how many did so at the next one: */
	uint32_t ran, run_on; /* those since `goes_on` was set; of these, those that did */
	uint32_t goes_on;     /* the share of the last ones, in parts of ELAPSED_SCALE */
};

/* Begins at a time; what is owed for earlier times is dropped. */
void elapsed_begin(struct elapsed *elapsed, uint64_t now);

/*
 * After a round of looks: returns a thread that the round has left out (thin.h), and for which the
 * first one waits, directly or by way of others, or that first one; NULL: there is none. If it is
 * looked at, there may be another one.
 */
struct offcpu *elapsed_left_out(const struct offcpu_round *round);

/* After a round that ended now: charges the time since the round before, and sets round->running.
 * Linear in the threads. */
void elapsed_charge(struct elapsed *elapsed, struct offcpu_round *round, uint64_t now);

/* Whether a thread has run, or was ready, in most of the last rounds. */
bool elapsed_mostly_ran(const struct offcpu *thread);

/* When a thread begins to be watched. */
void elapsed_thread_begin(struct elapsed_thread *thread);

/* Before a thread is watched no more: charges what is owed for its time. */
void elapsed_thread_end(struct offcpu *thread);

#endif
