/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Interned strings: equal texts have one address. */
#ifndef BASE_STRTABLE_H
#define BASE_STRTABLE_H

#include "base/array.h"
#include "base/index.h"

struct strtable_text {
	const char *s;
	uint64_t hash;
};

/* All zeros but for mem is an empty table; strings and what finds them live in mem. */
struct strtable {
	struct arena *mem;
	struct index index; /* of texts */
	ARRAY(struct strtable_text) texts;
};

/* The copy of s that all texts equal to it share. NULL stays NULL. Expected linear in its length.
 */
const char *strtable_add(struct strtable *table, const char *s);

/* The same copy's place in texts, where places count up from 0 as texts are added; s is not NULL.
 */
uint32_t strtable_place(struct strtable *table, const char *s);

#endif
