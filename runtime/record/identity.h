/* SPDX-License-Identifier: MIT */
/*
 * Which object lies at an address now, as _dl_find_object() and the loader have it, and whether it
 * is one that lay there before: no other is equal to it, not even one that has taken its place,
 * whose record the loader may have at the same place, too. C libraries without that function
 * (others than GNU's, and that before 2.35) cannot tell.
 *
 * Async-signal-safe, and without locks.
 */
#ifndef RECORD_IDENTITY_H
#define RECORD_IDENTITY_H

#include <stdbool.h>
#include <stdint.h>

#include "record/loaded.h"

/* What an object is recognized by. */
struct identity {
	uintptr_t name;       /* the loader's, where it was when the object was found */
	uintptr_t start;      /* of its mapping, as _dl_find_object() has it; 0: not known */
	uint32_t name_bytes;  /* of the name, that recognize the object */
	uint64_t fingerprint; /* of all that recognizes it */
};

/* The object at an address: its mapping, and what the loader's record of it begins with, see
 * <link.h>. */
struct identity_found {
	uintptr_t start;
	struct {
		uintptr_t bias, name, dynamic;
	} record;
};

/* Whether there is somebody to ask. */
bool identity_can_ask(void);

/* False: there is no object, or nobody can tell. */
bool identity_ask(struct identity_found *found, uintptr_t address);

/* Notes what recognizes an object that was found, at a place. False: it is gone. */
bool identity_take(struct identity *identity, const struct loaded *place,
		   const struct identity_found *found);

/* Whether what was found is the object that was at a place. */
bool identity_is(const struct identity *identity, const struct loaded *place,
		 const struct identity_found *found);

/* Whether an object is still at its place. True if nobody can tell. */
bool identity_is_there(const struct identity *identity, const struct loaded *place);

/* Whether two are known, and of one object. */
bool identity_equal(const struct identity *a, const struct identity *b);

#endif
