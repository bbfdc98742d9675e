/* SPDX-License-Identifier: MIT */
/*
 * Landings: where an object's code may be entered, other than by a call of a function's start. All
 * that may lead there is added, true or not: what branches name, tables of distances, symbols,
 * words and distances in the object's data, and what any bytes that were not decoded may be.
 *
 * For the start of a program, while it has one thread. Linear in the object's bytes.
 */
#ifndef CALLS_LANDINGS_H
#define CALLS_LANDINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "calls/code.h"

enum { LANDINGS_BITS = 64 };

/* Bits for each byte of code from `base` on. */
struct landings {
	uintptr_t base;
	size_t words;
	uint64_t *at; /* branches lead there; also to the start of a function; or all else does, but
			 not to a start */
	uint64_t *word; /* a word of data has that address, also of a function's start */
};

/* Adds what the data, symbols and undecoded bytes of an object say to `at`, which has the branches,
 * and makes `word`. False: no memory, and nothing is changed. */
bool landings_find(struct landings *landings, const struct code *code);

/* Adds an address, unless it is outside the code or a function begins there. */
void landings_add(const struct landings *landings, const struct code *code, uintptr_t at);
void landings_free(struct landings *landings);

/* Whether there are landings in [low, high). */
bool landings_between(const struct landings *landings, uintptr_t low, uintptr_t high);

/* Whether words of data have addresses in [low, high). */
bool landings_by_words(const struct landings *landings, uintptr_t low, uintptr_t high);

#endif
