/* SPDX-License-Identifier: MIT */
/* Asks the oldest waiters for each lock. See waiters.h. */
#include "wait/waiters.h"

#include "state.h"
#include "wait/offcpu.h"

enum { WAITERS_WORDS = 64, WAITERS_ASKED = 8 };

/* What is known of those who wait for a word. */
struct waiters_word {
	uintptr_t at;     /* the address of the word; 0: none so far */
	uint32_t found;   /* the round in which the threads that are asked now began to wait */
	uint32_t asked;   /* how many of these threads have been asked */
	bool one_waits;   /* one of these threads still waits */
	bool others_wait; /* so threads that began to wait in later rounds wait, too */
};

/* Collects those who waited for locks, those first who came first. Returns how many there are. */
static uint32_t waiters_collect(struct offcpu *list[OFFCPU_THREADS])
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < OFFCPU_THREADS; i++) {
		struct offcpu *thread = &gmon.offcpu.threads[i];
		uint32_t at = n;

		if (!thread->tid || !thread->blocked || !thread->holder.is_lock ||
		    thread->holder.is_wake)
			continue;
		for (; at && list[at - 1]->found > thread->found; at--)
			list[at] = list[at - 1];
		list[at] = thread;
		n++;
	}
	return n;
}

/* Goes on to those who came in a later round. */
static void waiters_next(struct waiters_word *word, uint32_t found)
{
	word->others_wait |= word->one_waits;
	word->one_waits = false;
	word->asked = 0;
	word->found = found;
}

static bool waiters_is_woken(struct waiters_word *word, const struct offcpu *thread)
{
	bool woken;

	if (word->at && word->at != thread->word) /* another one's place */
		return offcpu_is_woken(thread);
	word->at = thread->word;
	if (word->found != thread->found)
		waiters_next(word, thread->found);
	if (word->others_wait || (word->asked == WAITERS_ASKED && word->one_waits))
		return false;
	woken = offcpu_is_woken(thread);
	word->asked += word->asked < WAITERS_ASKED;
	word->one_waits |= !woken;
	return woken;
}

void waiters_check(void)
{
	struct waiters_word words[WAITERS_WORDS] = { { 0, 0, 0, false, false } };
	struct offcpu *list[OFFCPU_THREADS];
	uint32_t n = waiters_collect(list);

	for (uint32_t i = 0; i < n; i++)
		list[i]->woken = waiters_is_woken(
			&words[list[i]->word / sizeof(uint64_t) % WAITERS_WORDS], list[i]);
}
