/* SPDX-License-Identifier: MIT */
/* Owners of locks. See lock_owner.h. */
#include "record/lock_owner.h"

#include <pthread.h>
#include <stddef.h>

#include "base/readable.h"

/*
 * Where the owner's number is, in words from the futex: of a mutex, and of a rwlock from either of
 * its two words.
 */
#ifdef __GLIBC__
enum {
	LOCK_OWNER_WORD = sizeof(uint32_t),
	LOCK_OWNER_WRITER = (offsetof(pthread_rwlock_t, __data.__cur_writer) -
			     offsetof(pthread_rwlock_t, __data.__writers_futex)) /
			    LOCK_OWNER_WORD,
	LOCK_OWNER_WRITER_BY_PHASE = (offsetof(pthread_rwlock_t, __data.__cur_writer) -
				      offsetof(pthread_rwlock_t, __data.__wrphase_futex)) /
				     LOCK_OWNER_WORD,
};

_Static_assert(offsetof(pthread_mutex_t, __data.__owner) -
			       offsetof(pthread_mutex_t, __data.__lock) ==
		       LOCK_OWNER_AT * LOCK_OWNER_WORD,
	       "glibc's mutex");
_Static_assert((int)LOCK_OWNER_WRITER_BY_PHASE < (int)LOCK_OWNER_WORDS, "glibc's rwlock");
#else /* a C library with others may still run the program */
enum { LOCK_OWNER_WRITER = 3, LOCK_OWNER_WRITER_BY_PHASE = 4 };
#endif

enum { LOCK_OWNER_NUMBER = 0x3fffffff /* the bits of a word that may be a thread's number */ };

bool lock_owner_read(struct lock_owner *owner, uintptr_t address)
{
	return readable_copy(owner->word, address, sizeof(owner->word));
}

uint32_t lock_owner_candidate(const struct lock_owner *owner, uint32_t i)
{
	switch (i) {
	case 0:
		return owner->word[0] & LOCK_OWNER_NUMBER;
	case 1:
		return owner->word[0] <= LOCK_OWNER_CONTENDED ? owner->word[LOCK_OWNER_AT] : 0;
	case 2:
		return owner->word[LOCK_OWNER_WRITER];
	default:
		return owner->word[LOCK_OWNER_WRITER_BY_PHASE];
	}
}

bool lock_owner_is_mutex_of(const struct lock_owner *owner, uint32_t tid)
{
	return owner->word[0] == LOCK_OWNER_CONTENDED && owner->word[LOCK_OWNER_AT] == tid;
}

bool lock_owner_is_joined(const struct lock_owner *owner, uint32_t tid)
{
	return owner->word[0] == tid;
}

bool lock_owner_has(uintptr_t address, uint32_t tid)
{
	struct lock_owner owner;

	if (!lock_owner_read(&owner, address) || lock_owner_is_joined(&owner, tid))
		return false;
	for (uint32_t i = 0; i < LOCK_OWNER_CANDIDATES; i++)
		if (lock_owner_candidate(&owner, i) == tid)
			return true;
	return false;
}
