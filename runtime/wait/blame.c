/* SPDX-License-Identifier: MIT */
/* Charges waiting for locks to the stacks of those who have them. See blame.h. */
#include "wait/blame.h"

#include "record/stacks.h"
#include "state.h"
#include "wait/holder.h"
#include "wait/offcpu_entry.h"
#include "wait/offcpu_stack.h"

static void blame_add(struct offcpu *thread, const struct stack_cell *cell, uint64_t us)
{
	if (us)
		offcpu_stack_add_as(cell, offcpu_record(thread), KINDS_BLAME, us);
}

/* Whether the entry still is that of the thread which had it. */
static bool blame_is_of(const struct offcpu_holder *holder)
{
	return holder->thread && holder->thread->tid == holder->tid;
}

/* Charges what a thread has waited for a lock to the one that had it. */
static void blame_charge(struct offcpu *waiter, uint64_t us)
{
	const struct offcpu_holder *holder = &waiter->holder;

	if (!us || !holder->is_lock)
		return;
	if (!blame_is_of(holder)) {
		blame_add(waiter, NULL, us);
	} else if (holder->waits) {
		blame_add(holder->thread, &holder->cell, us);
	} else {
		holder->thread->owes.us += us;
		holder->thread->owes.lock = holder->lock;
	}
}

/* Has samples of a thread that owes something, if it has been sampled at all, ask for the lock. */
static void blame_watch(struct offcpu_debt *owes, const struct thread *entry)
{
	uintptr_t lock = owes->us ? owes->lock : 0;

	if (entry && owes->watched != lock && stacks_watch_lock(entry, lock, &owes->paid))
		owes->watched = lock;
}

/* Charges what a thread owes, if it was sampled while it had the lock, or at the last chance. */
static void blame_pay(struct offcpu *owner, bool last)
{
	struct offcpu_debt *owes = &owner->owes;
	const struct thread *entry = owes->us || owes->watched ? offcpu_entry(owner) : NULL;
	struct stack_cell cell;
	uint32_t held = owes->paid;

	if (entry && owes->watched)
		held = stacks_holding(entry, &cell);
	if (owes->us && held != owes->paid) {
		blame_add(owner, &cell, owes->us);
		owes->us = 0;
	} else if (owes->us && last) {
		blame_add(owner, entry && stacks_newest(entry, &cell) ? &cell : NULL, owes->us);
		owes->us = 0;
	}
	owes->paid = held;
	blame_watch(owes, entry);
}

void blame_begin(struct offcpu *thread)
{
	thread->holder = (struct offcpu_holder){ .thread = NULL };
	thread->owes = (struct offcpu_debt){ .us = 0 };
	thread->lock_us = thread->left_lock_us = 0;
}

/* Sets who holds up a thread that waits for a lock of `owner`. A deadlock ends in its cycle. */
static void blame_set(struct offcpu_holder *holder, struct offcpu *owner)
{
	const struct offcpu_holder *next = &owner->holder;

	holder->waits = owner->blocked && !offcpu_has_left(owner);
	if (holder->waits && next->is_lock && blame_is_of(next)) {
		holder->thread = next->thread;
		holder->lock = next->lock;
		holder->waits = next->waits;
		holder->cell = next->cell;
	} else {
		holder->thread = owner;
		holder->lock = holder->word;
		holder->cell = owner->cell;
	}
	holder->tid = holder->thread->tid;
}

/* Sets for which lock a blocked thread waits. `stays`: it has not left the wait of the last look.
 */
static void blame_find(struct offcpu *thread, const struct offcpu_round *round, bool stays)
{
	struct holder found = holder_find(thread, round->words);

	if (stays && found.is_lock && !found.thread)
		return; /* the lock was just given away */
	thread->holder.word = thread->word;
	thread->holder.is_lock = found.is_lock;
	thread->holder.thread = NULL;
	if (found.is_lock && found.thread)
		blame_set(&thread->holder, found.thread);
}

void blame_look(struct offcpu *thread, const struct offcpu_round *round)
{
	uint64_t us = thread->lock_us;
	bool stays = !thread->left_lock_us && thread->word == thread->holder.word;

	blame_charge(thread, thread->left_lock_us);
	thread->left_lock_us = thread->lock_us = 0;
	if (!thread->blocked || stays) {
		/* What a thread waited that has not left its wait: the first owner has half of it.
		 */
		uint64_t half = thread->blocked ? us / 2 : us;

		blame_charge(thread, half);
		us -= half;
	}
	if (thread->blocked && (thread->word || thread->holder.word))
		blame_find(thread, round, stays);
	blame_charge(thread, us);
}

void blame_settle(bool last)
{
	for (uint32_t i = 0; i < OFFCPU_THREADS; i++)
		if (gmon.offcpu.threads[i].tid)
			blame_pay(&gmon.offcpu.threads[i], last);
}

void blame_end(struct offcpu *thread)
{
	blame_charge(thread, thread->lock_us + thread->left_lock_us);
	thread->lock_us = thread->left_lock_us = 0;
	blame_pay(thread, true);
}
