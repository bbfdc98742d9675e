/* SPDX-License-Identifier: MIT */
/* Finds the owners of locks. See holder.h. */
#include "wait/holder.h"

#include "base/readable.h"
#include "state.h"

enum {
	HOLDER_NUMBER = 0x3fffffff, /* the bits of a word that may be a thread's number */
	HOLDER_CONTENDED = 2,       /* the word of glibc's mutex that has waiting threads */
	HOLDER_WORDS = 5,           /* how many words are read */
};

static struct offcpu *holder_thread(uint32_t number, const struct offcpu *waits)
{
	for (uint32_t i = 0; number && i < OFFCPU_THREADS; i++) {
		struct offcpu *thread = &gmon.offcpu.threads[i];

		if (thread->tid == (int32_t)number && thread != waits)
			return thread;
	}
	return NULL;
}

struct offcpu *holder_find(const struct offcpu *thread)
{
	enum { OWNER = 2, WRITER = 3, WRITER_BY_PHASE = 4 };
	uint32_t word[HOLDER_WORDS];
	struct offcpu *holder;

	if (!thread->word || !readable_copy(word, thread->word, sizeof(word)) ||
	    word[0] != thread->word_held)
		return NULL;
	holder = holder_thread(word[0] & HOLDER_NUMBER, thread);
	if (!holder && word[0] == HOLDER_CONTENDED)
		return holder_thread(word[OWNER], thread);
	if (!holder)
		holder = holder_thread(word[WRITER], thread);
	return holder ? holder : holder_thread(word[WRITER_BY_PHASE], thread);
}
