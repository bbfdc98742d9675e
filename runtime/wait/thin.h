/* SPDX-License-Identifier: MIT */
/*
 * Which threads a round of looks leaves out, so that the helper uses at most about a hundredth of a
 * processor however many threads there are. The sums of waiting are exact however rare the looks
 * are (offcpu.h); with many threads, each gets fewer looks, and all together still get many:
 *
 *   every 1   round 1: a b c d e f    round 2: a b c d e f
 *   every 3   round 1: a     d        round 2:   b     e      round 3:     c     f
 *
 * In each round at least THIN_LEAST threads are looked at, and the first thread of the process,
 * whose waiting the critical path begins with, and threads that have ended; of those that ran at
 * their last look, and of those that have waited for locks lately, all if they are few, else about
 * THIN_LEAST of each. elapsed.h says what the others are taken to do. Whether a thread waits for a
 * lock at its last look must not decide: waits of which it is looked at more often would seem
 * longer than its others.
 *
 * Only the helper (offcpu_helper.h) may call this.
 */
#ifndef WAIT_THIN_H
#define WAIT_THIN_H

#include "wait/offcpu.h"

enum { THIN_LEAST = 8 };

/* All zero at the beginning. Times are nanoseconds. */
struct thin {
	uint32_t rarer;  /* a thread is looked at once in so many periods of sampling */
	uint32_t slower; /* rounds are so many periods apart; rarer is this * round->every */
	uint64_t since;  /* when `used` was read */
	uint64_t used;   /* the CPU time of the helper by then */
};

/* Whether a round looks at the thread with this index in gmon.offcpu.threads because it is its
 * turn.
 */
bool thin_has_turn(const struct offcpu_round *round, uint32_t i);

/* Whether it does so for any reason. */
bool thin_is_due(const struct offcpu_round *round, uint32_t i);

/*
 * After a round that ended now: adapts round->every, which must be 1 at the beginning, to what
 * looks have cost, at once if that is too much. One system call with many threads, else one now and
 * then.
 */
void thin_adapt(struct thin *thin, struct offcpu_round *round, uint64_t now);

/* For how long the helper is to sleep beyond the time of the next round. */
uint64_t thin_pause(const struct thin *thin);

#endif
