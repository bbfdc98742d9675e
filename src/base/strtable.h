/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Interned strings: equal texts have one address. */
#ifndef BASE_STRTABLE_H
#define BASE_STRTABLE_H

#include "base/arena.h"

#include <stdint.h>

/* All zeros but for mem is an empty table; strings and slots live in mem. */
struct strtable {
	struct arena *mem;
	struct strtable_slot *slot;
	uint32_t nslots; /* a power of two, or 0 */
	uint32_t n;
};

/* The copy of s that all texts equal to it share. NULL stays NULL. Expected linear in its length.
 */
const char *strtable_add(struct strtable *table, const char *s);

#endif
