/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gives functions that were made at run time, of which stacks have addresses alone, their names. */
#ifndef IO_PROFILE_MADE_NAMES_H
#define IO_PROFILE_MADE_NAMES_H

#include "base/array.h"
#include "model/recorded.h"

/* The most bytes of a name that are kept. */
enum { MADE_NAMES_BYTES = 400 };

/* The addresses that want names: sorted, each once. */
struct made_names {
	ARRAY(uint64_t) pc;
	const char **text; /* for each address, its name, or NULL */
	size_t *bytes;     /* and the length of that */
	uint32_t *next;    /* for each address, one at or after it that may have no name */
};

/* Collects the addresses of stacks that are in no module. All of *names lives in mem. */
void made_names_begin(struct made_names *names, const struct recorded *rec, struct arena *mem);

/*
 * Names what is in `size` bytes from `start` on and has no name yet: the first that is added wins.
 * The text has no NUL at its end and must last until made_names_end(). Amortized O(log n) in
 * addresses.
 */
void made_names_add(struct made_names *names, uint64_t start, uint64_t size, const char *text,
		    size_t bytes);

/*
 * Makes the nodes that have names those of a module "[jit]" with MODULE_MADE; long names are cut,
 * control characters in them written as "\ooo". Only names of functions on stacks are kept.
 * Everything lives in mem; the recording stays as it is if there are no names. Linear in nodes.
 */
void made_names_end(const struct made_names *names, struct recorded *rec, struct arena *mem);

#endif
