/* SPDX-License-Identifier: MIT */
/*
 * Tables of distances from their own start, as compilers make them for switches and for relative
 * pointers: a jump may lead wherever an entry says. Linear in the entries that are read.
 */
#ifndef CALLS_TABLES_H
#define CALLS_TABLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "calls/code.h"

struct tables_one {
	uintptr_t at;
	struct code_function *in; /* the function that names it */
};

/* All that may be such tables. */
struct tables {
	struct tables_one *table;
	size_t n, room;
};

/* Notes an address that a function names, if it may be that of a table. False: no memory. */
bool tables_note(struct tables *tables, const struct code *code, uintptr_t at,
		 struct code_function *in);

/*
 * Marks the functions to which entries lead, and drops those whose tables lead into the midst of
 * one of their instructions. `boundary`: a bit for each byte of the code from `base` on, where
 * instructions begin.
 */
void tables_read(const struct tables *tables, const struct code *code, const uint64_t *boundary,
		 uintptr_t base);

/* Marks in `landing`, which has bits as `boundary`, where in their functions entries lead; to a
 * function's start: in its second byte. */
void tables_land(const struct tables *tables, const struct code *code, const uint64_t *boundary,
		 uint64_t *landing, uintptr_t base);
void tables_free(struct tables *tables);

#endif
