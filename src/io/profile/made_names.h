/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gives functions that were made at run time, of which stacks have addresses alone, their names. */
#ifndef IO_PROFILE_MADE_NAMES_H
#define IO_PROFILE_MADE_NAMES_H

#include "base/array.h"
#include "model/recorded.h"

/* The most bytes of a name that are kept. */
enum { MADE_NAMES_BYTES = 400 };

/*
 * Code of a source line: from its offset in the function to that of the next line. `file` has no
 * NUL at its end; NULL, with line 0: the line is not known.
 */
struct made_line {
	uint64_t offset;
	const char *file;
	uint32_t bytes, line;
};

/* Sorted by offset. Code before the first line is that line's, too. */
struct made_lines {
	const struct made_line *at;
	size_t n;
	/* the first line that is known, and the greatest one in its file; NULL: none is known */
	const struct made_line *first, *last;
};

/* Code with a name, which has no NUL at its end. */
struct made_range {
	uint64_t start, size;
	const char *text;
	size_t bytes;
	const char *name;               /* the name as it is shown; NULL: not made yet */
	const struct made_lines *lines; /* NULL: not known */
};

/* The addresses that want names: sorted, each once. */
struct made_names {
	ARRAY(uint64_t) pc;
	struct made_range **range; /* for each address, what it is in, or NULL */
	uint32_t *next;            /* for each address, one at or after it that may have no name */
	struct arena *mem;
};

/* Collects the addresses of stacks that are in no module. All of *names lives in mem. */
void made_names_begin(struct made_names *names, const struct recorded *rec, struct arena *mem);

/*
 * Names what is in `size` bytes from `start` on and has no name yet: the first that is added wins.
 * The text has no NUL at its end and must last until made_names_end(). Returns the range, whose
 * lines the caller may set; or NULL if it named nothing. Amortized O(log n) in addresses.
 */
struct made_range *made_names_add(struct made_names *names, uint64_t start, uint64_t size,
				  const char *text, size_t bytes);

/*
 * Makes the nodes that have names those of a module "[jit]" with MODULE_MADE, as recorded_made
 * describes it; long names are cut, control characters in them written as "\ooo". Only functions on
 * stacks are kept: of their lines those on stacks, and the first and the last one. Everything lives
 * in mem; the recording stays as it is if there are no names. Linear in nodes.
 */
void made_names_end(const struct made_names *names, struct recorded *rec, struct arena *mem);

#endif
