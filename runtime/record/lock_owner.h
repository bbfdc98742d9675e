/* SPDX-License-Identifier: MIT */
/*
 * The owner of a lock, as the memory of the process tells it. A thread that is blocked in futex()
 * waits for a word to change. In these cases the number of the thread that will change it is there:
 *
 *   pthread_join()   the word is the number of the thread that is awaited
 *   mutexes          glibc's: the word is 2, and the owner's number is 8 bytes further on; those
 *                    with priority inheritance, robust ones, and musl's: the word has the owner's
 *                    number in its lower 30 bits
 *   rwlocks          glibc's: the writer's number is 16 or 12 bytes further on, by which of its two
 *                    words it is; 20 or 16 where pointers have 32 bits
 *
 * Condition variables, semaphores and barriers have no such number, and neither have locks that
 * languages make by themselves. Async-signal-safe.
 */
#ifndef RECORD_LOCK_OWNER_H
#define RECORD_LOCK_OWNER_H

#include <stdbool.h>
#include <stdint.h>

enum {
	LOCK_OWNER_WORDS = 6,      /* how many words are read */
	LOCK_OWNER_TAKEN = 1,      /* the word of a mutex, not only glibc's, that a thread has, */
	LOCK_OWNER_CONTENDED = 2,  /* and of one for which others wait */
	LOCK_OWNER_AT = 2,         /* where glibc's mutexes have their owner */
	LOCK_OWNER_CANDIDATES = 4, /* how many numbers there may be */
};

/* The words at a futex. */
struct lock_owner {
	uint32_t word[LOCK_OWNER_WORDS];
};

/* Reads the words at an address. False: they cannot be read. One system call. */
bool lock_owner_read(struct lock_owner *owner, uintptr_t address);

/*
 * Returns a number that may be that of the thread which has the lock: the most probable one if `i`,
 * below LOCK_OWNER_CANDIDATES, is 0. Returns 0 if there is none; a number that is no thread's
 * counts as none.
 */
uint32_t lock_owner_candidate(const struct lock_owner *owner, uint32_t i);

/*
 * Whether the words are those of a mutex as glibc's which the thread `tid` has, and for which
 * others wait: if that is the thread itself, it waits for ever.
 */
bool lock_owner_is_mutex_of(const struct lock_owner *owner, uint32_t tid);

/* Whether the word is all of a thread's number: pthread_join() waits for the thread's end. */
bool lock_owner_is_joined(const struct lock_owner *owner, uint32_t tid);

/* Whether the thread `tid` has the lock at an address now. One system call. */
bool lock_owner_has(uintptr_t address, uint32_t tid);

#endif
