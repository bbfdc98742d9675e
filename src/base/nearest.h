/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names that differ little from a word that is none: what may have been meant. */
#ifndef BASE_NEAREST_H
#define BASE_NEAREST_H

#include "base/arena.h"

#include <stddef.h>

/* The names most like a word, the nearest first, and the edits that make one of the other. */
enum { NEAREST_NAMES = 3 };
struct nearest {
	const char *name[NEAREST_NAMES];
	size_t edits[NEAREST_NAMES];
	size_t n;
};

/* A word that names are measured against, with three rows of its length and one. */
struct nearest_rows {
	const char *name;
	size_t len;
	size_t *before, *above, *row;
};

struct nearest_search {
	struct nearest found; /* of the names offered so far */
	struct nearest_rows rows;
	size_t limit; /* of edits: as many are too many */
};

/*
 * Found are the names that become `name` by one or two edits that are fewer than half of its
 * characters: one added, dropped, replaced, or swapped with the next. Two characters may be
 * swapped. Of those as near the first ones; none if `name` itself is offered. Each offer takes
 * O(length squared) at worst; what starts otherwise, or has another length, is soon done with.
 * `name` and what is offered stay the caller's, and are pointed to; mem is for the search.
 */
struct nearest_search nearest_begin(const char *name, struct arena *mem);
void nearest_offer(struct nearest_search *search, const char *other);

/* The same with a name whose beginning may be the one: found are names with a beginning as near. Of
 * a search that is offered nothing else. */
void nearest_offer_start(struct nearest_search *search, const char *other);

/* "; did you mean 'b' or 'c'?", with `before` in front of each name; "" if there is none. */
const char *nearest_question(const struct nearest *found, const char *before, struct arena *mem);

#endif
