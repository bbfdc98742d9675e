/* SPDX-License-Identifier: MIT */
/* Charges waiting for locks to the stacks of those who have them. See blame.h. */
#include "wait/blame.h"

#include "record/holds.h"
#include "record/stacks.h"
#include "record/tree.h"
#include "record/wakers.h"
#include "state.h"
#include "wait/elapsed.h"
#include "wait/holder.h"
#include "wait/offcpu_entry.h"
#include "wait/offcpu_stack.h"

enum {
	BLAME_CYCLE = 8, /* the most threads of a deadlock */
	BLAME_NS_OF_US = 1000,
	BLAME_SHORT = 16,    /* of a wait of so many looks, the last one tells what went on */
	BLAME_CONTENDS = 32, /* for how many looks a thread that waited for a lock is preferred */
	BLAME_WORDS = 2 * OFFCPU_THREADS, /* places for words of locks, of which half stay free */
};

/* Who was last known to have the lock of a word, as those who wait for it tell. */
struct blame_last {
	const struct offcpu_holder *newest, *other; /* of another thread; NULL: none */
};

/* Charges what a thread waited in the stack that ends in the node `stack` to that of a cell; NULL:
 * to an unknown one. */
static void blame_add(struct offcpu *thread, const struct stack_cell *cell, const struct hold *hold,
		      uint64_t us)
{
	struct hold of = *hold;

	if (!us)
		return;
	of.holder = cell ? (uint32_t)(cell->from - GMON_LIVE_NODE) : TREE_ROOT;
	if (!(hold->flags & GMON_EXT_WAKER))
		offcpu_stack_add_as(cell, offcpu_record(thread), KINDS_BLAME, us);
	holds_add(&of, us);
}

/* Whether the entry still is that of the thread which had it. */
static bool blame_is_of(const struct offcpu *thread, int32_t tid)
{
	return thread && thread->tid == tid;
}

/* Adds to what a thread owes. If there is no room for another share, the last one is of several. */
static void blame_owe(struct offcpu_debt *owes, const struct hold *hold, uint64_t us)
{
	struct offcpu_share *share = owes->share;
	const struct offcpu_share *end = share + OFFCPU_SHARES;

	while (share < end && share->us &&
	       (share->lock != hold->lock || share->stack != hold->waiter))
		share++;
	if (share == end) {
		share--;
		share->lock = 0;
		share->stack = TREE_ROOT;
	} else if (!share->us) {
		*share = (struct offcpu_share){ 0, hold->lock, hold->waiter };
	}
	share->us += us;
	owes->us += us;
}

/* Notes what others have waited for a thread that wakes them, until its next stack is known. */
static void blame_owe_woken(struct offcpu *waker, const struct hold *hold, uint64_t us)
{
	struct offcpu_debt *owes = &waker->wakes;
	const struct thread *entry = owes->us ? NULL : offcpu_entry(waker);
	struct stack_cell cell;

	if (!owes->us)
		owes->paid = entry ? stacks_newest(entry, &cell) : 0;
	blame_owe(owes, hold, us);
}

/* Charges what a thread has waited for a lock, or to be woken, to the one that had it, or wakes it.
 */
static void blame_charge(struct offcpu *waiter, uint64_t us)
{
	const struct offcpu_holder *holder = &waiter->holder;
	struct hold hold = { .waiter = holder->stack, .lock = holder->word };

	if (!holder->is_lock && holder->word)
		waiter->unwoken += us;
	if (!us || !holder->is_lock)
		return;
	if (!holder->ended && !blame_is_of(holder->thread, holder->tid)) {
		blame_add(waiter, NULL, &hold, us);
		return;
	}
	hold.lock = holder->lock;
	hold.flags = holder->deadlock ? GMON_EXT_DEADLOCK : holder->wakes ? GMON_EXT_WAKER : 0;
	if (holder->wakes)
		waiter->woken_us += us;
	if (holder->waits || holder->ended) {
		blame_add(waiter, &holder->cell, &hold, us);
	} else if (holder->wakes) {
		blame_owe_woken(holder->thread, &hold, us);
	} else {
		blame_owe(&holder->thread->owes, &hold, us);
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

/* Charges a share of a debt of a thread, `owes` or `wakes`, to the stack of a cell, or to an
 * unknown one. */
static void blame_pay_share(struct offcpu *owner, struct offcpu_debt *owes,
			    const struct stack_cell *cell, struct offcpu_share *share)
{
	const struct hold hold = { .waiter = share->stack,
				   .lock = share->lock,
				   .flags = owes == &owner->wakes ? GMON_EXT_WAKER : 0 };

	blame_add(owner, cell, &hold, share->us);
	owes->us -= share->us;
	share->us = 0;
}

static void blame_pay_shares(struct offcpu *owner, struct offcpu_debt *owes,
			     const struct stack_cell *cell)
{
	for (uint32_t i = 0; i < OFFCPU_SHARES; i++)
		blame_pay_share(owner, owes, cell, &owes->share[i]);
}

/*
 * Charges the rest at the last chance: where the thread was sampled while it had a lock, or where
 * it has waited for the same lock itself, and so has got it, or where it was last sampled.
 */
static void blame_pay_rest(struct offcpu *owner, const struct thread *entry)
{
	const struct offcpu_holder *waited = &owner->holder;
	struct offcpu_debt *owes = &owner->owes;
	struct stack_cell cell;

	if (entry && stacks_holding(entry, &cell))
		blame_pay_shares(owner, owes, &cell);
	for (uint32_t i = 0; i < OFFCPU_SHARES && waited->is_lock && owner->has_cell; i++)
		if (waited->word == owes->share[i].lock)
			blame_pay_share(owner, owes, &owner->cell, &owes->share[i]);
	blame_pay_shares(owner, owes, entry && stacks_newest(entry, &cell) ? &cell : NULL);
}

/* Charges what others have waited for a thread that wakes them, if it has a new stack, or at the
 * last chance. */
static void blame_pay_woken(struct offcpu *waker, bool last)
{
	struct offcpu_debt *owes = &waker->wakes;
	const struct thread *entry = owes->us ? offcpu_entry(waker) : NULL;
	struct stack_cell cell;
	uint32_t newest = entry ? stacks_newest(entry, &cell) : 0;

	if (!owes->us || !(last || (newest && newest != owes->paid)))
		return;
	blame_pay_shares(waker, owes, newest ? &cell : NULL);
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
	if (owes->us && held != owes->paid)
		blame_pay_shares(owner, owes, &cell);
	else if (owes->us && last)
		blame_pay_rest(owner, entry);
	owes->paid = held;
	blame_watch(owes, entry);
}

void blame_begin(struct offcpu *thread)
{
	thread->holder = (struct offcpu_holder){ .thread = NULL };
	thread->owes = thread->wakes = (struct offcpu_debt){ .us = 0 };
	thread->lock_us = thread->left_lock_us = thread->unwoken = 0;
	thread->woken_us = thread->marked = thread->usual_us = 0;
	thread->before = thread->usual = (struct stack_cell){ 0, 0 };
	thread->ran = thread->last.run + thread->last.queued;
	thread->contends = 0;
}

/*
 * Whether a thread waits for a lock whose owner waits for it, directly or by way of others. Owners
 * are read one after the other, so a cycle counts only if each was read while all its threads
 * waited where they are.
 */
static bool blame_is_deadlock(const struct offcpu *thread)
{
	const struct offcpu *at = thread;
	uint32_t found = 0, asked = UINT32_MAX;

	for (uint32_t i = 0; i < BLAME_CYCLE; i++) {
		const struct offcpu_holder *holder = &at->holder;

		if (!at->blocked || !holder->is_lock || holder->is_wake ||
		    holder->word != at->word || !blame_is_of(holder->owner, holder->owner_tid))
			return false;
		found = at->found > found ? at->found : found;
		asked = holder->asked < asked ? holder->asked : asked;
		at = holder->owner;
		if (at == thread)
			return found < asked;
	}
	return false;
}

/* Whether an owner is still blocked where it was last seen. One system call in a round. */
static bool blame_stays(struct offcpu *owner, uint32_t round)
{
	struct offcpu_holder *holder = &owner->holder;

	if (owner->blocked && holder->checked != round) {
		holder->checked = round;
		holder->stays = !offcpu_has_left(owner);
	}
	return owner->blocked && holder->stays;
}

/* Has one thread be held up by what another one is held up by. */
static void blame_pass_on(struct offcpu_holder *holder, const struct offcpu_holder *from)
{
	holder->thread = from->thread;
	holder->lock = from->lock;
	holder->wakes = from->wakes;
	holder->waits = from->waits;
	holder->cell = from->cell;
}

/* Sets who holds up a thread: the owner of the lock for which it waits, or whoever holds that up.
 */
static void blame_set(struct offcpu *thread)
{
	struct offcpu_holder *holder = &thread->holder;
	struct offcpu *owner = holder->owner;
	const struct offcpu_holder *next = &owner->holder;

	holder->deadlock = blame_is_deadlock(thread);
	holder->ended = false;
	holder->waits = blame_stays(owner, holder->asked);
	if (holder->waits && !holder->deadlock && owner != thread && next->is_lock &&
	    next->thread != thread && blame_is_of(next->thread, next->tid)) {
		blame_pass_on(holder, next);
	} else {
		holder->thread = owner;
		holder->wakes = holder->is_wake;
		holder->lock = holder->is_wake ? holder->at : holder->word;
		holder->cell = owner->cell;
	}
	holder->tid = holder->thread->tid;
}

/* Sets for which lock a blocked thread waits. `stays`: it has not left the wait of the last look.
 */
static void blame_find(struct offcpu *thread, const struct offcpu_round *round, bool stays)
{
	struct holder found = holder_find(thread, round->words);
	struct offcpu_holder *holder = &thread->holder;

	if (stays && found.is_lock && !found.thread)
		return; /* the lock was just given away */
	holder->word = thread->word;
	holder->stack = (uint32_t)(thread->cell.from - GMON_LIVE_NODE);
	holder->is_lock = found.is_lock || found.wakes;
	holder->is_wake = holder->wakes = found.wakes;
	holder->at = found.at;
	holder->deadlock = holder->ended = false;
	holder->thread = NULL;
	holder->owner = holder->is_lock ? found.thread : NULL;
	holder->borrows = holder->is_lock && !holder->owner;
	if (!holder->owner)
		return;
	holder->owner_tid = holder->owner->tid;
	holder->asked = round->number;
	blame_set(thread);
}

/* Counts a time of a thread: by Boyer and Moore's vote, of which the majority is left. */
static void blame_vote(struct offcpu *thread, struct stack_cell cell, uintptr_t word, uint64_t us)
{
	if (thread->usual.from == cell.from) {
		thread->usual_us += us;
	} else if (thread->usual_us > us) {
		thread->usual_us -= us;
	} else if (us) {
		thread->usual = cell;
		thread->usual_word = word;
		thread->usual_us = us - thread->usual_us;
	}
}

/* Counts what a thread has done lately. */
static void blame_count(struct offcpu *thread)
{
	const uint64_t ran = thread->last.run + thread->last.queued;

	if (thread->before.from)
		blame_vote(thread, thread->before, thread->holder.word, thread->left_lock_us);
	if (thread->has_cell) {
		blame_vote(thread, thread->cell,
			   thread->blocked ? thread->word : thread->holder.word, thread->lock_us);
		thread->before = thread->cell;
	}
	blame_vote(thread, (struct stack_cell){ 0, 0 }, 0, (ran - thread->ran) / BLAME_NS_OF_US);
	thread->ran = ran;
}

/*
 * Has a thread be blamed for what it did before it woke another one that has waited so long, not
 * for what it does, or waits for, since. Of a long time, that is what it mostly does, unless it
 * waits there itself then.
 */
static void blame_look_back(struct offcpu_holder *holder, uint64_t us)
{
	struct offcpu *waker = holder->owner;
	const struct thread *entry = offcpu_entry(waker);
	const bool short_wait = us * BLAME_NS_OF_US < BLAME_SHORT * gmon.sample_rule.period;
	const bool ran =
		short_wait ? waker->elapsed.ran || elapsed_mostly_ran(waker)
			   : !waker->usual.from || waker->usual_word - holder->at < WAKERS_INSIDE;

	holder->deadlock = holder->ended = false;
	holder->waits = short_wait ? blame_stays(waker, holder->asked) : !ran;
	holder->thread = waker;
	holder->tid = waker->tid;
	holder->lock = holder->at;
	holder->wakes = true;
	holder->cell = short_wait ? waker->cell : waker->usual;
	if (ran && entry && stacks_newest(entry, &holder->cell))
		holder->waits = true;
}

/* Charges what a thread has waited until somebody has woken it. If that is not known, nobody has
 * it. `stays`: it has not been woken so far. */
static void blame_wake(struct offcpu *thread, const struct offcpu_round *round, bool stays)
{
	struct offcpu_holder *holder = &thread->holder;
	struct holder found = holder_waker(thread, holder->word, stays, round->words);
	uint64_t us = thread->unwoken;

	if (stays && !found.thread)
		return;
	thread->unwoken = 0;
	if (!found.thread)
		return;
	holder->owner = found.thread;
	holder->at = found.at;
	holder->is_lock = holder->is_wake = true;
	holder->owner_tid = holder->owner->tid;
	holder->asked = round->number;
	blame_look_back(holder, us);
	blame_charge(thread, us);
	holder->is_lock = holder->is_wake = false;
}

/*
 * When the owner of a lock ends, those who wait for it may not have been looked at since it had the
 * lock: what they have waited will belong to the stack in which it had that.
 */
static void blame_leave_lock(struct offcpu *owner)
{
	const struct thread *entry = NULL;
	struct stack_cell cell;

	for (uint32_t i = 0; i < OFFCPU_THREADS; i++) {
		struct offcpu *thread = &gmon.offcpu.threads[i];
		struct offcpu_holder *holder = &thread->holder;

		if (!thread->tid || thread == owner || !holder->is_lock || holder->ended ||
		    holder->thread != owner || holder->tid != owner->tid)
			continue;
		if (!entry)
			entry = offcpu_entry(owner);
		holder->ended = holder->waits;
		if (!holder->waits && entry &&
		    (stacks_holding(entry, &cell) || stacks_newest(entry, &cell))) {
			holder->ended = true;
			holder->cell = cell;
		}
	}
}

/* Nor may those who were woken by the one that ends: what they have waited belongs to what that did
 * before it woke them. One system call for each. */
static void blame_leave_woken(const struct offcpu *waker, const struct offcpu_round *round)
{
	for (uint32_t i = 0; i < OFFCPU_THREADS; i++) {
		struct offcpu *thread = &gmon.offcpu.threads[i];
		struct offcpu_holder *holder = &thread->holder;

		if (!thread->tid || thread == waker || !thread->unwoken ||
		    wakers_find(holder->word, thread->tid).tid != waker->tid ||
		    !offcpu_has_left(thread))
			continue;
		blame_wake(thread, round, false);
		holder->is_lock = holder->is_wake = holder->ended = holder->waits;
	}
}

void blame_look(struct offcpu *thread, const struct offcpu_round *round)
{
	uint64_t us = thread->lock_us;
	bool stays = !thread->left_lock_us && thread->word == thread->holder.word;

	blame_count(thread);
	thread->holder.checked = 0;
	thread->holder.borrows = false;
	blame_charge(thread, thread->left_lock_us);
	thread->left_lock_us = thread->lock_us = 0;
	if (!thread->blocked || stays) {
		/* What a thread waited that has not left its wait: the first owner has half of it.
		 */
		uint64_t half = thread->blocked ? us / 2 : us;

		blame_charge(thread, half);
		us -= half;
	}
	if (thread->unwoken)
		blame_wake(thread, round, thread->blocked && stays);
	if (!thread->blocked || !stays)
		thread->woken_us = 0;
	if (thread->blocked && (thread->word || thread->holder.word))
		blame_find(thread, round, stays);
	if (thread->blocked && thread->holder.is_lock && !thread->holder.is_wake)
		thread->contends = BLAME_CONTENDS;
	else if (thread->contends)
		thread->contends--;
	if (thread->holder.borrows)
		thread->lock_us = us;
	else
		blame_charge(thread, us);
}

/* Whether a thread waits for a lock, and who holds it up is known. */
static bool blame_is_known(const struct offcpu *thread)
{
	const struct offcpu_holder *holder = &thread->holder;

	return thread->tid && holder->is_lock &&
	       (holder->ended || blame_is_of(holder->thread, holder->tid));
}

/* Returns the place of a word in the table, which has free ones. */
static struct blame_last *blame_last_of(struct blame_last *table, uintptr_t word)
{
	uint32_t at = (uint32_t)(word / sizeof(uint64_t)) * UINT32_C(0x9e3779b1) >> 16;

	while (table[at % BLAME_WORDS].newest && table[at % BLAME_WORDS].newest->word != word)
		at++;
	return &table[at % BLAME_WORDS];
}

static void blame_keep_newest(struct blame_last *last, const struct offcpu_holder *holder)
{
	const struct offcpu_holder *newest = last->newest;

	if (!newest || newest->asked < holder->asked) {
		if (newest && newest->thread != holder->thread)
			last->other = newest;
		last->newest = holder;
	} else if (newest->thread != holder->thread &&
		   (!last->other || last->other->asked < holder->asked)) {
		last->other = holder;
	}
}

/* Has a thread held up by whoever had its lock last, and charges what it has waited. */
static void blame_borrow(struct offcpu *thread, const struct blame_last *last)
{
	struct offcpu_holder *holder = &thread->holder;
	const struct offcpu_holder *from = last->newest;
	uint64_t us = thread->lock_us;

	if (from && from->thread == thread)
		from = last->other;
	if (from) {
		blame_pass_on(holder, from);
		holder->tid = from->tid;
		holder->ended = from->ended;
	}
	holder->borrows = false;
	thread->lock_us = 0;
	blame_charge(thread, us);
}

/*
 * If a lock was just given away, and nobody has it yet: what a thread has waited for it until now
 * is for the one that had it before, as others who wait for it tell.
 */
static void blame_borrow_all(void)
{
	/* No initializer: some compilers call memset for it. */
	struct blame_last table[BLAME_WORDS];
	struct offcpu *threads = gmon.offcpu.threads;

	for (uint32_t i = 0; i < BLAME_WORDS; i++)
		table[i].newest = table[i].other = NULL;
	for (uint32_t i = 0; i < OFFCPU_THREADS; i++)
		if (blame_is_known(&threads[i]))
			blame_keep_newest(blame_last_of(table, threads[i].holder.word),
					  &threads[i].holder);
	for (uint32_t i = 0; i < OFFCPU_THREADS; i++)
		if (threads[i].tid && threads[i].holder.borrows)
			blame_borrow(&threads[i], blame_last_of(table, threads[i].holder.word));
}

/* Who would wake a thread that still waits is a guess, so what it has waited is marked. */
static void blame_mark(struct offcpu *thread)
{
	const struct holds_choice from = { thread->holder.stack, GMON_EXT_WAKER, thread->found };

	if (thread->blocked && thread->woken_us)
		thread->marked =
			holds_move(&from, GMON_EXT_WAKER | GMON_EXT_UNWOKEN, thread->woken_us);
}

void blame_go_on(const struct offcpu_round *round)
{
	holds_begin_round(round->number);
	for (uint32_t i = 0; i < OFFCPU_THREADS; i++) {
		struct offcpu *thread = &gmon.offcpu.threads[i];
		const struct holds_choice from = { .waiter = thread->holder.stack,
						   .flags = GMON_EXT_WAKER | GMON_EXT_UNWOKEN };

		if (thread->tid && thread->marked)
			holds_move(&from, GMON_EXT_WAKER, thread->marked);
		thread->marked = 0;
	}
}

void blame_charge_owed(struct offcpu_round *round)
{
	bool borrow = false;

	for (uint32_t i = 0; i < OFFCPU_THREADS; i++)
		borrow |= gmon.offcpu.threads[i].tid && gmon.offcpu.threads[i].holder.borrows;
	if (borrow)
		blame_borrow_all();
	round->contending = 0;
	for (uint32_t i = 0; i < OFFCPU_THREADS; i++) {
		struct offcpu *thread = &gmon.offcpu.threads[i];

		if (!thread->tid)
			continue;
		blame_pay(thread, round->last);
		blame_pay_woken(thread, round->last);
		round->contending += thread->contends != 0;
	}
	for (uint32_t i = 0; round->last && i < OFFCPU_THREADS; i++)
		if (gmon.offcpu.threads[i].tid)
			blame_mark(&gmon.offcpu.threads[i]);
}

void blame_end(struct offcpu *thread, const struct offcpu_round *round)
{
	blame_charge(thread, thread->lock_us + thread->left_lock_us);
	if (thread->unwoken)
		blame_wake(thread, round, false);
	thread->lock_us = thread->left_lock_us = 0;
	blame_leave_woken(thread, round);
	blame_pay(thread, true);
	blame_pay_woken(thread, true);
	blame_leave_lock(thread);
}
