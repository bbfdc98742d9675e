/* SPDX-License-Identifier: MIT */
/*
 * Who holds the others up: ticks of KINDS_BLAME. What a thread waits for a lock belongs, once more,
 * to the stack of the thread that has the lock, as holder.h tells it:
 *
 *   waiter   ##work##.....pthread_mutex_lock().....##work##
 *   owner    ####work####  has the lock: slow_path  ####         slow_path: all that the waiter
 * waited
 *
 * An owner that itself waits has its waiting stack; if that is for another lock, the time belongs
 * to the owner of that, and so on. An owner that runs is not interrupted: the time waits until it
 * is sampled while it still has the lock, and belongs to that stack. What waits for a lock of which
 * no owner is known belongs to no stack. The end of a thread is no lock, so pthread_join() is not
 * here: the critical path (elapsed.h) follows it.
 *
 * What a thread waits for a condition, semaphore or barrier belongs, in records alone, to the
 * thread that wakes it (record/wakers.h). The one that has done so last is taken for the one that
 * will: at the wake-up itself it has just left what it was waited for. What has been waited before
 * any waker was known belongs to the one that ends it, at the stack of its last sample or wait. So
 * does what is waited at a barrier, where those who wait, too, wake nobody. A wait that has not
 * ended when a profile is written is marked: for all that is known, nobody may end it.
 *
 * If owners wait for one another in a circle, that is a deadlock: each has the waiting of the one
 * before it, and the records say so.
 *
 * The ticks add up to the waiting for locks that KINDS_OFF_CPU has. Beside them, records tell who
 * waited for whom, and for which lock (record/holds.h). Only the helper (offcpu_helper.h) may call
 * these functions. Times are microseconds.
 */
#ifndef WAIT_BLAME_H
#define WAIT_BLAME_H

#include "wait/offcpu.h"

/* When a thread begins to be watched. */
void blame_begin(struct offcpu *thread);

/* Before a round: what the last one has marked goes on. Linear in the threads. */
void blame_go_on(const struct offcpu_round *round);

/*
 * After a look at a thread (offcpu_look()): charges what it has waited for locks. Costs what
 * holder_find() does, for a thread that waits in futex().
 */
void blame_look(struct offcpu *thread, const struct offcpu_round *round);

/*
 * After a round of looks: charges the waiting that was noted for threads until their next stack is
 * known, to those that have one by now, all of it if it is the last round, and sets
 * round->contending. Linear in the threads.
 */
void blame_charge_owed(struct offcpu_round *round);

/* Before a thread is watched no more. */
void blame_end(struct offcpu *thread, const struct offcpu_round *round);

#endif
