/* SPDX-License-Identifier: MIT */
/* Owners of locks. See lock_owner.h. */
#include "record/lock_owner.h"

#include "base/readable.h"

enum { LOCK_OWNER_NUMBER = 0x3fffffff /* the bits of a word that may be a thread's number */ };

bool lock_owner_read(struct lock_owner *owner, uintptr_t address)
{
	return readable_copy(owner->word, address, sizeof(owner->word));
}

uint32_t lock_owner_candidate(const struct lock_owner *owner, uint32_t i)
{
	enum { OWNER = 2, WRITER = 3, WRITER_BY_PHASE = 4 };

	switch (i) {
	case 0:
		return owner->word[0] & LOCK_OWNER_NUMBER;
	case 1:
		return owner->word[0] <= LOCK_OWNER_CONTENDED ? owner->word[OWNER] : 0;
	case 2:
		return owner->word[WRITER];
	default:
		return owner->word[WRITER_BY_PHASE];
	}
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
