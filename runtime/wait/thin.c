/* SPDX-License-Identifier: MIT */
/* Leaves threads out of rounds of looks. See thin.h. */
#include "wait/thin.h"

#include "sample/clock.h"
#include "state.h"

enum {
	THIN_SPAN = 250 * 1000 * 1000, /* ns from one adaptation to the next */
	THIN_MOST = 125, /* the helper uses at most one part in so many of a processor, so that with
			    what meeting threads costs it is a hundredth of that of seconds, */
	THIN_FEW = 300,  /* and looks more often if it uses less than one in so many: */
	THIN_AIM = 150,  /* it aims at this one */
	THIN_EVERY = 16, /* the greatest value of round.every */
	THIN_MANY = 32,  /* of so many threads, rounds may be rarer, too, */
	THIN_SLOW = 4,   /* by this factor at most, */
	THIN_SLOWEST = 8, /* or by this one where the helper would else use more than one part */
	THIN_LIMIT = 100, /* in so many, as on a busy machine, where each look takes longer */
};

/*
 * In `every` rounds each thread has one turn. Neither threads whose indices have a distance, as of
 * a pool that was made beside another one, nor parts of the run that come again and again may fall
 * in step with turns: so those of neighbours move on, and each cycle begins elsewhere.
 */
bool thin_has_turn(const struct offcpu_round *round, uint32_t i)
{
	uint32_t every = round->every, cycle = round->number / every;
	uint32_t shift = cycle * UINT32_C(0x9e3779b1) >> 16;

	return every == 1 || round->last || (round->number + i + i / every + shift) % every == 0;
}

/* Of n threads, among them the one with index i, about THIN_LEAST are looked at in each round. */
static bool thin_is_asked(const struct offcpu_round *round, uint32_t i, uint32_t n)
{
	return (round->number + i) % (1 + n / (THIN_LEAST + 1)) == 0;
}

bool thin_is_due(const struct offcpu_round *round, uint32_t i)
{
	const struct offcpu *thread = &gmon.offcpu.threads[i];

	return thin_has_turn(round, i) || thread->tid == gmon.pid ||
	       (thread->elapsed.ran && thin_is_asked(round, i, round->running)) ||
	       (thread->contends && thin_is_asked(round, i, round->contending)) ||
	       __atomic_load_n(&thread->left, __ATOMIC_ACQUIRE) == thread->tid;
}

/* How many periods rounds are apart, if by what looks cost they should be `wanted`. */
static uint32_t thin_slower(const struct offcpu_round *round, uint32_t wanted)
{
	uint32_t most = wanted * THIN_LIMIT > THIN_SLOW * THIN_AIM ? THIN_SLOWEST : THIN_SLOW;

	if (round->watched < THIN_MANY)
		most = 1;
	return wanted < most ? wanted : most;
}

/* Divides how much rarer looks are among threads that are left out and rounds. */
static void thin_divide(struct thin *thin, struct offcpu_round *round)
{
	uint32_t most = round->watched / THIN_LEAST, rarer = thin->rarer ? thin->rarer : 1;

	most = most > THIN_EVERY ? THIN_EVERY : most ? most : 1;
	round->every = rarer < most ? rarer : most;
	/* Rounded up: else it would stay a little above what it may cost. */
	thin->slower = thin_slower(round, (rarer + round->every - 1) / round->every);
	thin->rarer = round->every * thin->slower;
}

void thin_adapt(struct thin *thin, struct offcpu_round *round, uint64_t now)
{
	uint64_t used, wanted, span = now - thin->since;
	bool anew = !thin->since;

	if (span < THIN_SPAN && round->watched < THIN_MANY)
		return;
	used = clock_thread_ns(0) - thin->used;
	if (span < THIN_SPAN && used <= THIN_SPAN / THIN_MOST)
		return;
	thin->since = now;
	thin->used += used;
	wanted = thin->rarer * used * THIN_AIM / span + 1;
	if (!anew && used > span / THIN_MOST)
		thin->rarer = (uint32_t)wanted > thin->rarer ? (uint32_t)wanted : thin->rarer + 1;
	else if (used < span / THIN_FEW)
		thin->rarer = (uint32_t)wanted;
	thin_divide(thin, round);
}

uint64_t thin_pause(const struct thin *thin)
{
	return thin->slower > 1 ? (thin->slower - 1) * (uint64_t)gmon.sample_rule.period : 0;
}
