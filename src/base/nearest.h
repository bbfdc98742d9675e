/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds names that are spelled similarly to an unknown word, to suggest what was meant. */
#ifndef BASE_NEAREST_H
#define BASE_NEAREST_H

#include "base/arena.h"

#include <stddef.h>

/* The names most similar to a word, the most similar first, and their distance in edits. */
enum { NEAREST_NAMES = 3 };
struct nearest {
	const char *name[NEAREST_NAMES];
	size_t edits[NEAREST_NAMES];
	size_t n;
};

/* The word that names are compared with, and memory for three rows of its length plus 1. */
struct nearest_rows {
	const char *name;
	size_t len;
	size_t *before, *above, *row;
};

struct nearest_search {
	struct nearest found; /* of the names offered so far */
	struct nearest_rows rows;
	size_t limit; /* names at this distance or more are not kept */
};

/*
 * Starts a search for names similar to `name`, to which the caller offers names. Found are those
 * that become `name` by one or two edits, fewer than half of its characters: a character inserted,
 * deleted, replaced, or swapped with the next. For names of two characters only a swap counts. Of
 * equally similar names the first ones are kept; nothing is found once `name` itself was offered.
 * An offer takes O(length squared) at worst; names with another beginning or length take less.
 * `name` and the names offered are not copied and must outlive the result; mem is for the search.
 */
struct nearest_search nearest_begin(const char *name, struct arena *mem);
void nearest_offer(struct nearest_search *search, const char *other);

/*
 * Offers a name of which only the beginning is compared: it is found if some beginning of it is
 * similar. A search must be offered names by this function only, or by nearest_offer() only.
 */
void nearest_offer_start(struct nearest_search *search, const char *other);

/*
 * Returns "; did you mean 'b' or 'c'?", with `before` in front of each name; "" if nothing was
 * found.
 */
const char *nearest_question(const struct nearest *found, const char *before, struct arena *mem);

#endif
