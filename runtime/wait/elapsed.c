/* SPDX-License-Identifier: MIT */
/* Divides elapsed time among threads. See elapsed.h. */
#include "wait/elapsed.h"

#include "record/stacks.h"
#include "state.h"
#include "wait/holder.h"
#include "wait/offcpu_entry.h"
#include "wait/offcpu_stack.h"
#include "wait/thin.h"

enum {
	ELAPSED_CHAIN = 8,    /* the longest chain that is followed */
	ELAPSED_CHECKS = 8,   /* how many blocked threads are checked in a round of all threads, */
	ELAPSED_LEAST = 2,    /* in any round, */
	ELAPSED_MOST = 16,    /* and while some are found woken */
	ELAPSED_ROUNDS = 64,  /* over how many rounds elapsed_thread.waits is about taken */
	ELAPSED_SIMILAR = 4,  /* a difference of that which means nothing */
	ELAPSED_SCALE = 1024, /* its parts, and those of weights */
	ELAPSED_ENOUGH = 4,   /* of how many threads a share is taken */
	ELAPSED_NS_OF_US = 1000,
	ELAPSED_LATE = 1000000000, /* ns that are charged late at most */
};

/* Indices of elapsed_thread.owed. */
enum { ELAPSED, CRITICAL, GUESSED, ELAPSED_KINDS };

/* The threads that have a processor or are ready for one, and for how many each stands. */
struct elapsed_runners {
	struct offcpu *at[OFFCPU_THREADS];
	uint32_t weight[OFFCPU_THREADS]; /* in parts of ELAPSED_SCALE */
	uint32_t n;
};

/* What threads did in a round that looked at them, by what they had done at the look before. */
struct elapsed_found {
	uint32_t ran, run_on; /* how many ran before, but for the first one; of these, still run */
	uint32_t waited;      /* how many waited before, of those whose turn it was */
	uint32_t unseen;      /* how many waited at an earlier look, and were not looked at */
	uint32_t still;       /* how many still wait or, for all that is known, have been woken */
	uint32_t checked;     /* how many of these were asked */
};

/* Where a chain of waiting ends. */
struct elapsed_end {
	struct offcpu *thread; /* NULL: no thread is known */
	bool runs;             /* it has a processor or is ready for one */
	bool for_others;       /* it waits for a thread that is not known */
};

/* Adds microseconds to the stack of a cell; NULL: to an unknown one. */
static void elapsed_add(const struct offcpu *thread, const struct stack_cell *cell, uint32_t what,
			uint64_t us)
{
	struct stack_cell guessed;
	uint32_t kind = what == ELAPSED ? KINDS_ELAPSED : KINDS_CRITICAL;

	if (!us)
		return;
	if (cell && what == GUESSED) {
		guessed = stack_recorder_guess(cell);
		cell = &guessed;
	}
	offcpu_stack_add_as(cell, thread->record, kind, us);
}

static const struct thread *elapsed_entry(struct offcpu *thread)
{
	const struct thread *entry = offcpu_entry(thread);

	if (entry != thread->elapsed.entry)
		thread->elapsed.newest = 0;
	thread->elapsed.entry = entry;
	return entry;
}

static bool elapsed_owes(const struct offcpu *thread)
{
	for (uint32_t i = 0; i < ELAPSED_KINDS; i++)
		if (thread->elapsed.owed[i] >= ELAPSED_NS_OF_US)
			return true;
	return false;
}

/* Charges what is owed: half of it to each of two stacks. */
static void elapsed_pay(struct offcpu *thread, const struct stack_cell *before,
			const struct stack_cell *after)
{
	for (uint32_t i = 0; i < ELAPSED_KINDS; i++) {
		uint64_t us = thread->elapsed.owed[i] / ELAPSED_NS_OF_US;

		elapsed_add(thread, before, i, us / 2);
		elapsed_add(thread, after, i, us - us / 2);
		thread->elapsed.owed[i] -= us * ELAPSED_NS_OF_US;
	}
}

/*
 * Charges what is owed, if the thread has a new stack: it was there, or where it was before. At the
 * last chance, it is charged all the same.
 */
static void elapsed_charge_owed(struct offcpu *thread, bool last)
{
	struct elapsed_thread *elapsed = &thread->elapsed;
	const struct thread *entry;
	struct stack_cell cell;
	uint32_t newest = 0;

	if (!elapsed_owes(thread))
		return;
	offcpu_record(thread);
	entry = elapsed_entry(thread);
	if (entry)
		newest = stacks_newest(entry, &cell);
	if (newest && (last || newest != elapsed->newest)) {
		elapsed_pay(thread, elapsed->newest ? &elapsed->stack : &cell, &cell);
		elapsed->newest = newest;
		elapsed->stack = cell;
		elapsed->sampled = true;
	} else if (last) { /* it has ended, and left no more samples; or there never was one */
		const struct stack_cell *at = elapsed->sampled   ? &elapsed->stack
					      : thread->has_cell ? &thread->cell
								 : NULL;

		elapsed_pay(thread, at, at);
	}
}

static bool elapsed_runs(const struct offcpu *thread)
{
	return !thread->blocked || offcpu_is_woken(thread);
}

/* Charges a time to a thread. One that was found woken, and was left out since, may have run by
 * now, or not. */
static void elapsed_give(struct offcpu *thread, const struct offcpu_round *round, uint32_t what,
			 uint64_t ns)
{
	uint64_t runs = !thread->blocked ? ns : thread->looked == round->number ? 0 : ns / 2;

	/* where it waits, or has waited */
	elapsed_add(thread, &thread->cell, what, (ns - runs) / ELAPSED_NS_OF_US);
	thread->elapsed.owed[what] += runs;
}

static void elapsed_divide(const struct elapsed_runners *runners, const struct offcpu_round *round,
			   uint32_t what, uint64_t ns)
{
	uint64_t all = 0;

	for (uint32_t i = 0; i < runners->n; i++)
		all += runners->weight[i];
	for (uint32_t i = 0; i < runners->n; i++)
		elapsed_give(runners->at[i], round, what, ns * runners->weight[i] / all);
}

/* Keeps, as a moving average, how often the thread waits. */
static void elapsed_count(struct offcpu *thread, bool runs)
{
	uint32_t *waits = &thread->elapsed.waits;

	*waits -= *waits / ELAPSED_ROUNDS;
	if (!runs)
		*waits += ELAPSED_SCALE;
}

/* Takes note of what a thread does. `turn`: whether it was its turn to be looked at. The first one
 * is always looked at, and tells nothing of others. */
static void elapsed_meet(struct elapsed_found *found, struct offcpu *thread, bool turn, bool seen,
			 bool runs)
{
	struct elapsed_thread *elapsed = &thread->elapsed;
	bool one = seen && thread->tid != gmon.pid;

	found->ran += one && elapsed->ran;
	found->run_on += one && elapsed->ran && runs;
	found->waited += turn && !elapsed->ran;
	found->unseen += !seen && !runs;
	elapsed->again = turn && !elapsed->ran && runs;
	elapsed->ran = runs;
}

/*
 * Weighs the threads that run. Those that the round has left out, and ran at their last look, do so
 * still to the share to which those did that were looked at; and threads that have begun to run
 * since their last look stand for those, too, that the round has left out. A thread that was found
 * woken stands for those that were not asked. If a round looks at all, and asks all that wait, each
 * weighs the same.
 */
static void elapsed_weigh(struct elapsed *elapsed, const struct elapsed_found *found,
			  const struct offcpu_round *round, struct elapsed_runners *runners)
{
	uint32_t n = 0;

	elapsed->ran += found->ran;
	elapsed->run_on += found->run_on;
	if (elapsed->ran >= ELAPSED_ENOUGH) {
		elapsed->goes_on = ELAPSED_SCALE * elapsed->run_on / elapsed->ran;
		elapsed->ran = elapsed->run_on = 0;
	}
	for (uint32_t i = 0; i < runners->n; i++) {
		const struct offcpu *thread = runners->at[i];
		uint32_t weight = ELAPSED_SCALE;

		if (thread->looked != round->number)
			weight = elapsed->goes_on;
		else if (thread->elapsed.again)
			weight += ELAPSED_SCALE * found->unseen / found->waited;
		if (thread->elapsed.checked == round->number)
			weight = weight * found->still / found->checked;
		runners->at[n] = runners->at[i];
		runners->weight[n] = weight;
		n += weight != 0;
	}
	if (n)
		runners->n = n;
	else /* somebody has to have it */
		for (uint32_t i = 0; i < runners->n; i++)
			runners->weight[i] = ELAPSED_SCALE;
}

/* Whether a thread is where it waited, and it must be asked whether it has been woken. What was
 * found woken once is so until it has run. */
static bool elapsed_is_still(const struct offcpu *thread, const struct offcpu_round *round)
{
	return thread->tid && thread->blocked && thread->looked == round->number &&
	       (!thread->elapsed.ran || thread->found == round->number);
}

/*
 * Asks threads that wait, as the round has found them, whether they have been woken, and have no
 * processor yet: some in each round, here and there, since those that were made one after the other
 * often do the same. Where one has been woken many may have been.
 */
static void elapsed_check(struct elapsed *elapsed, const struct offcpu_round *round,
			  struct elapsed_found *found)
{
	uint32_t most = ELAPSED_CHECKS / round->every, step, at = elapsed->turn++;

	if (elapsed->woken || most < ELAPSED_LEAST)
		most = elapsed->woken ? ELAPSED_MOST : ELAPSED_LEAST;
	elapsed->woken = false;
	for (uint32_t i = 0; i < OFFCPU_THREADS; i++)
		found->still += elapsed_is_still(&gmon.offcpu.threads[i], round);
	step = (found->still + most - 1) / most;
	for (uint32_t i = 0; i < OFFCPU_THREADS; i++) {
		struct offcpu *thread = &gmon.offcpu.threads[i];

		if (!elapsed_is_still(thread, round) || at++ % step)
			continue;
		found->checked++;
		if (!offcpu_is_woken(thread))
			continue;
		thread->elapsed.checked = round->number;
		elapsed->woken = true;
	}
}

/* Whether a thread runs or is ready, as far as it is known. */
static bool elapsed_ran(const struct offcpu *thread, const struct offcpu_round *round)
{
	return !thread->blocked || thread->elapsed.checked == round->number ||
	       (thread->elapsed.ran && thread->found != round->number);
}

/*
 * Collects the threads that run. Those that were woken and have no processor yet look blocked until
 * they are checked.
 */
static void elapsed_collect(struct elapsed *elapsed, struct offcpu_round *round,
			    struct elapsed_runners *runners)
{
	struct elapsed_found found = { 0, 0, 0, 0, 0, 0 };

	runners->n = 0;
	elapsed_check(elapsed, round, &found);
	for (uint32_t i = 0; i < OFFCPU_THREADS; i++) {
		struct offcpu *thread = &gmon.offcpu.threads[i];
		bool seen = thread->looked == round->number, runs;

		if (!thread->tid)
			continue;
		runs = elapsed_ran(thread, round);
		elapsed_count(thread, runs);
		elapsed_meet(&found, thread, thin_has_turn(round, i), seen, runs);
		if (runs)
			runners->at[runners->n++] = thread;
	}
	round->running = runners->n;
	elapsed_weigh(elapsed, &found, round, runners);
}

/* Keeps the threads that wait least. */
static void elapsed_keep_least(struct elapsed_runners *runners)
{
	uint32_t least = UINT32_MAX, n = 0;

	for (uint32_t i = 0; i < runners->n; i++)
		if (runners->at[i]->elapsed.waits < least)
			least = runners->at[i]->elapsed.waits;
	for (uint32_t i = 0; i < runners->n; i++)
		if (runners->at[i]->elapsed.waits <= least + ELAPSED_SIMILAR * ELAPSED_SCALE)
			runners->weight[n] = runners->weight[i], runners->at[n++] = runners->at[i];
	runners->n = n;
}

/* Returns the first thread of the process or, if that has ended, another one. */
static struct offcpu *elapsed_first(void)
{
	struct offcpu *first = NULL;

	for (uint32_t i = 0; i < OFFCPU_THREADS; i++) {
		struct offcpu *thread = &gmon.offcpu.threads[i];

		if (thread->tid == gmon.pid)
			return thread;
		if (thread->tid && !first)
			first = thread;
	}
	return first;
}

/* Follows the waiting of the first thread to its end, or to a thread that this round has not looked
 * at. A deadlock ends anywhere in its cycle. */
static struct elapsed_end elapsed_follow(const struct offcpu_round *round)
{
	struct elapsed_end end = { elapsed_first(), false, false };

	for (uint32_t i = 0; end.thread; i++) {
		struct holder next;

		end.runs = elapsed_runs(end.thread);
		if (end.runs || i == ELAPSED_CHAIN || end.thread->looked != round->number)
			return end;
		next = holder_find(end.thread, round->words);
		if (!next.thread || next.wakes) {
			end.for_others = end.thread->word;
			return end;
		}
		end.thread = next.thread;
	}
	return end;
}

struct offcpu *elapsed_left_out(const struct offcpu_round *round)
{
	struct offcpu *thread = elapsed_follow(round).thread;

	return thread && thread->looked != round->number ? thread : NULL;
}

/* Charges a time in which nobody ran to a thread's last wait, even if it runs by now. */
static void elapsed_charge_quiet(const struct offcpu *thread, uint32_t what, uint64_t ns)
{
	struct stack_cell cell;

	if (thread->has_cell)
		cell = offcpu_stack_all_wait(&thread->cell);
	elapsed_add(thread, thread->has_cell ? &cell : NULL, what, ns / ELAPSED_NS_OF_US);
}

/*
 * Returns the thread whose wait has ended first: one that runs or, if it waits again already, has
 * begun to in this round. NULL: all still wait.
 */
static const struct offcpu *elapsed_find_first(const struct elapsed_runners *runners,
					       const struct offcpu_round *round)
{
	for (uint32_t i = 0; i < runners->n; i++)
		if (runners->at[i]->has_cell)
			return runners->at[i];
	for (uint32_t i = 0; i < OFFCPU_THREADS; i++) {
		const struct offcpu *thread = &gmon.offcpu.threads[i];

		if (thread->tid && thread->blocked && thread->found == round->number)
			return thread;
	}
	return runners->n ? runners->at[0] : NULL;
}

/* Charges the time in which nobody ran, as far as it is known by now which wait has ended first. */
static void elapsed_attribute_quiet(struct elapsed *elapsed, const struct elapsed_runners *runners,
				    const struct elapsed_end *end, const struct offcpu_round *round)
{
	const struct offcpu *first;

	if (!elapsed->quiet[ELAPSED] && !elapsed->quiet[CRITICAL])
		return;
	first = elapsed_find_first(runners, round);
	if (!first && (round->last || elapsed->quiet[ELAPSED] >= ELAPSED_LATE))
		first = end->thread;
	if (!first)
		return;
	elapsed_charge_quiet(first, ELAPSED, elapsed->quiet[ELAPSED]);
	elapsed_charge_quiet(first, GUESSED, elapsed->quiet[CRITICAL]);
	elapsed->quiet[ELAPSED] = elapsed->quiet[CRITICAL] = 0;
}

/* Takes note of a time in which nobody ran. */
static void elapsed_note_quiet(struct elapsed *elapsed, const struct elapsed_end *end, uint64_t ns)
{
	elapsed->quiet[ELAPSED] += ns;
	if (end->for_others)
		elapsed->quiet[CRITICAL] += ns;
	else
		elapsed_charge_quiet(end->thread, CRITICAL, ns);
}

/* Charges a time in which threads ran. */
static void elapsed_charge_busy(struct elapsed_runners *runners, const struct elapsed_end *end,
				const struct offcpu_round *round, uint64_t ns)
{
	elapsed_divide(runners, round, ELAPSED, ns);
	if (end->runs || !end->for_others) {
		elapsed_give(end->thread, round, CRITICAL, ns);
		return;
	}
	elapsed_keep_least(runners);
	elapsed_divide(runners, round, GUESSED, ns);
}

void elapsed_begin(struct elapsed *elapsed, uint64_t now)
{
	elapsed->until = now;
	elapsed->quiet[ELAPSED] = elapsed->quiet[CRITICAL] = 0;
	elapsed->goes_on = ELAPSED_SCALE;
	for (uint32_t i = 0; i < OFFCPU_THREADS; i++)
		elapsed_thread_begin(&gmon.offcpu.threads[i].elapsed);
}

void elapsed_charge(struct elapsed *elapsed, struct offcpu_round *round, uint64_t now)
{
	struct elapsed_runners runners;
	struct elapsed_end end = elapsed_follow(round);
	/* A thread that ran at the round before has been ready, if none has run since. */
	bool were_ready = round->running;
	uint64_t quiet;

	elapsed_collect(elapsed, round, &runners);
	if (!end.thread || now <= elapsed->until)
		return;
	quiet = !runners.n ? now : were_ready ? elapsed->until : round->quiet;
	if (quiet > elapsed->until) {
		elapsed_note_quiet(elapsed, &end, quiet - elapsed->until);
		elapsed->until = quiet;
	}
	elapsed_attribute_quiet(elapsed, &runners, &end, round);
	if (now > elapsed->until)
		elapsed_charge_busy(&runners, &end, round, now - elapsed->until);
	elapsed->until = now;
	for (uint32_t i = 0; i < OFFCPU_THREADS; i++)
		if (gmon.offcpu.threads[i].tid)
			elapsed_charge_owed(&gmon.offcpu.threads[i], round->last);
}

bool elapsed_mostly_ran(const struct offcpu *thread)
{
	return thread->elapsed.waits < ELAPSED_ROUNDS * ELAPSED_SCALE / 2;
}

void elapsed_thread_begin(struct elapsed_thread *thread)
{
	thread->entry = NULL;
	thread->newest = thread->waits = thread->checked = 0;
	thread->sampled = thread->ran = thread->again = false;
	for (uint32_t i = 0; i < ELAPSED_KINDS; i++)
		thread->owed[i] = 0;
}

void elapsed_thread_end(struct offcpu *thread)
{
	elapsed_charge_owed(thread, true);
}
