/* SPDX-License-Identifier: MIT */
/* Finds the owners of locks. See holder.h. */
#include "wait/holder.h"

#include "record/lock_owner.h"
#include "state.h"

static struct offcpu *holder_thread(uint32_t number, const struct offcpu *waits)
{
	for (uint32_t i = 0; number && i < OFFCPU_THREADS; i++) {
		struct offcpu *thread = &gmon.offcpu.threads[i];

		if (thread->tid == (int32_t)number && thread != waits)
			return thread;
	}
	return NULL;
}

struct holder holder_find(const struct offcpu *thread)
{
	struct holder holder = { .is_lock = thread->word &&
					    thread->word_held == LOCK_OWNER_CONTENDED };
	struct lock_owner owner;

	if (!thread->word || !lock_owner_read(&owner, thread->word) ||
	    owner.word[0] != thread->word_held)
		return holder;
	for (uint32_t i = 0; i < LOCK_OWNER_CANDIDATES && !holder.thread; i++)
		holder.thread = holder_thread(lock_owner_candidate(&owner, i), thread);
	if (holder.thread) {
		holder.joined = lock_owner_is_joined(&owner, (uint32_t)holder.thread->tid);
		holder.is_lock = !holder.joined;
	}
	return holder;
}
