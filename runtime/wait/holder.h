/* SPDX-License-Identifier: MIT */
/*
 * Which watched thread another one waits for, as far as memory tells it (record/lock_owner.h).
 */
#ifndef WAIT_HOLDER_H
#define WAIT_HOLDER_H

#include <stdbool.h>

#include "wait/offcpu.h"

/* Whom a thread waits for. */
struct holder {
	struct offcpu *thread; /* NULL: it is not known */
	bool joined;           /* its end is awaited; else it has a lock */
	bool is_lock;          /* the wait is for a lock, as it seems, whoever has that */
	bool wakes;   /* it has nothing, but it was who last woke those who waited there: */
	uintptr_t at; /* then, the address of the condition, semaphore or barrier; else 0 */
};

enum { HOLDER_WORDS = 64 };

/* What a round of looks has found out so far, by the addresses of futexes. */
struct holder_words {
	struct holder_word {
		uintptr_t at; /* the address; 0: none */
		bool readable;
		uint32_t value;        /* what it contains */
		struct offcpu *thread; /* whom those who wait for it wait for; NULL: not known */
		int32_t tid;           /* that thread's number */
		bool joined;           /* as in struct holder */
	} word[HOLDER_WORDS];
	struct offcpu *waker[HOLDER_WORDS]; /* by number, or NULL: some threads that wake others */
};

/* At the beginning of a round. */
void holder_forget(struct holder_words *words);

/*
 * Finds whom a blocked thread waits for. What it reads may have changed since the thread was looked
 * at, or since another one was that waits for the same word. Two system calls for each word of a
 * round.
 */
struct holder holder_find(const struct offcpu *thread, struct holder_words *words);

/* Returns who last woke those who waited for the word at an address, other than the thread itself,
 * as holder_find() does. `waits`: the thread still waits, so those who do so there, too, as at a
 * barrier, will not wake it. */
struct holder holder_waker(const struct offcpu *thread, uintptr_t word, bool waits,
			   struct holder_words *words);

#endif
