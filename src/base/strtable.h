/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Interned strings: equal texts have the same address. */
#ifndef BASE_STRTABLE_H
#define BASE_STRTABLE_H

#include "base/array.h"
#include "base/index.h"

struct strtable_text {
	const char *s;
	uint64_t hash;
};

/* With all members zero but mem, the table is empty. Strings and the index live in mem. */
struct strtable {
	struct arena *mem;
	struct index index; /* of the texts */
	ARRAY(struct strtable_text) texts;
};

/*
 * Returns the copy of s that all texts equal to it share; NULL for NULL. Expected linear in its
 * length.
 */
const char *strtable_add(struct strtable *table, const char *s);

/*
 * Returns the index in texts of that copy; texts are numbered from 0 in the order in which they are
 * added. s is not NULL.
 */
uint32_t strtable_place(struct strtable *table, const char *s);

#endif
