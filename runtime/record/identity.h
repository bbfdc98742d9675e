/* SPDX-License-Identifier: MIT */
/*
 * Whether the object at an address is the one that lay there before. Another library may have been
 * loaded at the same addresses meanwhile, and even the loader's record of it (struct link_map) may
 * be at the same address. So an object is recognized by what the record and the object itself hold.
 *
 * Uses _dl_find_object(); if the C library does not have it (find_object.h), nothing is known.
 * Async-signal-safe, without locks.
 */
#ifndef RECORD_IDENTITY_H
#define RECORD_IDENTITY_H

#include <stdbool.h>
#include <stdint.h>

#include "record/loaded.h"

/* The data by which an object is recognized. Zero: not known. */
struct identity {
	uintptr_t name;       /* address of the loader's name for the object */
	uintptr_t start;      /* of its mapping; 0: not known */
	uint32_t name_bytes;  /* how many bytes of the name are part of the fingerprint */
	uint64_t fingerprint; /* a hash of bias, dynamic section, name and build id */
};

/*
 * What the C library says about the object at an address: the start of its mapping, and the first
 * fields of its link_map.
 */
struct identity_found {
	uintptr_t start;
	struct {
		uintptr_t bias, name, dynamic;
	} record;
};

/*
 * Finds the object at an address. Returns false if there is none, or if the C library does not say.
 */
bool identity_ask(struct identity_found *found, uintptr_t address);

/* Sets the identity of an object that was found. False: it has just been unloaded. */
bool identity_take(struct identity *identity, const struct loaded *loaded,
		   const struct identity_found *found);

/* Whether the object that was found is the one with this identity. */
bool identity_is(const struct identity *identity, const struct loaded *loaded,
		 const struct identity_found *found);

/* Whether an object is still loaded. True if that is not known. */
bool identity_is_there(const struct identity *identity, const struct loaded *loaded);

/* Whether two identities are known and those of the same object. */
bool identity_equal(const struct identity *a, const struct identity *b);

#endif
