/* SPDX-License-Identifier: MIT */
/* Finds the owners of locks. See holder.h. */
#include "wait/holder.h"

#include "record/lock_owner.h"
#include "record/wakers.h"
#include "state.h"

/* Returns the watched thread of a number, unless that is `waits`. */
static struct offcpu *holder_thread(uint32_t number, const struct offcpu *waits)
{
	for (uint32_t i = 0; number && i < OFFCPU_THREADS; i++) {
		struct offcpu *thread = &gmon.offcpu.threads[i];

		if (thread->tid == (int32_t)number && thread != waits)
			return thread;
	}
	return NULL;
}

void holder_forget(struct holder_words *words)
{
	for (uint32_t i = 0; i < HOLDER_WORDS; i++) {
		words->word[i].at = 0;
		words->waker[i] = NULL;
	}
}

/* Reads the word for which a thread waits. */
static struct holder_word holder_read(const struct offcpu *thread)
{
	struct holder_word word = { .at = thread->word };
	struct lock_owner owner;

	word.readable = lock_owner_read(&owner, thread->word);
	if (!word.readable)
		return word;
	word.value = owner.word[0];
	for (uint32_t i = 0; i < LOCK_OWNER_CANDIDATES && !word.thread; i++)
		word.thread = holder_thread(lock_owner_candidate(&owner, i), thread);
	if (lock_owner_is_mutex_of(&owner, (uint32_t)thread->tid))
		word.thread = holder_thread((uint32_t)thread->tid, NULL);
	if (word.thread) {
		word.tid = word.thread->tid;
		word.joined = lock_owner_is_joined(&owner, (uint32_t)word.tid);
	}
	return word;
}

/*
 * Whether a word says what the thread waits for. One that has got a mutex before the thread that
 * was woken for it does not know that others wait.
 */
static bool holder_holds(const struct holder_word *word, const struct offcpu *thread)
{
	return word->readable &&
	       (word->value == thread->word_held ||
		(word->value == LOCK_OWNER_TAKEN && thread->word_held == LOCK_OWNER_CONTENDED));
}

/* Whether the answer for a word is one for a thread, too. */
static bool holder_knows(const struct holder_word *word, const struct offcpu *thread)
{
	return word->at == thread->word && word->thread != thread &&
	       (!word->thread || word->thread->tid == word->tid);
}

/* Whether a thread waits where those do who wait for a condition, semaphore or barrier. */
static bool holder_waits_at(const struct offcpu *thread, uintptr_t at)
{
	return thread->blocked && thread->word >= at && thread->word - at < WAKERS_INSIDE;
}

struct holder holder_waker(const struct offcpu *thread, uintptr_t word, bool waits,
			   struct holder_words *words)
{
	struct waker_found found = wakers_find(word, thread->tid);
	struct offcpu **known = &words->waker[(uint32_t)found.tid % HOLDER_WORDS];

	if (!found.tid)
		return (struct holder){ .thread = NULL };
	if (!*known || (*known)->tid != found.tid)
		*known = holder_thread((uint32_t)found.tid, NULL);
	if (waits && *known && holder_waits_at(*known, found.at))
		return (struct holder){ .thread = NULL };
	return (struct holder){ .thread = *known, .wakes = *known, .at = *known ? found.at : 0 };
}

struct holder holder_find(const struct offcpu *thread, struct holder_words *words)
{
	struct holder holder = { .is_lock = thread->word &&
					    thread->word_held == LOCK_OWNER_CONTENDED &&
					    thread->word_wait != OFFCPU_WAIT_NO_LOCK };
	struct holder_word *word = &words->word[thread->word / sizeof(uint64_t) % HOLDER_WORDS];

	if (!thread->word)
		return holder;
	if (!holder_knows(word, thread))
		*word = holder_read(thread);
	if (word->thread && holder_holds(word, thread)) {
		holder.thread = word->thread;
		holder.joined = word->joined;
		holder.is_lock = !holder.joined;
	} else if (!holder.is_lock || thread->word_wait == OFFCPU_WAIT_EITHER) {
		const struct holder waker = holder_waker(thread, thread->word, true, words);

		if (waker.wakes || !holder.is_lock)
			return waker;
	}
	return holder;
}
