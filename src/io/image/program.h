/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads a program from an object file, and from lists that may replace parts of it. */
#ifndef IO_IMAGE_PROGRAM_H
#define IO_IMAGE_PROGRAM_H

#include "base/bitset.h"
#include "io/image/image.h"

/* Which parts of a program are read, and from where. */
struct program_input {
	const char *path;
	struct image_choice symbols;
	bool by_line;        /* also make symbols of source lines */
	bool static_calls;   /* also read the calls in the machine code */
	const char *symfile; /* a list of functions to use instead of the image's, or NULL */
	const char *mapfile; /* a list of which functions are in which object files, or NULL */
};

/* Returns a program of which only the kind of machine is known. */
struct program program_begin(const struct image *image, const struct program_input *input);

/*
 * Reads only the functions into a program from program_begin(). Results live in mem. Returns 0, or
 * -1 after an error message. n log n in the symbols.
 */
int program_read_functions(struct program *prog, struct image *image,
			   const struct program_input *input, struct arena *mem, struct diag *diag);

/* Reads the functions and, if they are wanted, source lines. n log n in symbols and lines. */
int program_read(struct program *prog, struct image *image, const struct program_input *input,
		 struct arena *mem, struct diag *diag);

/*
 * Makes *lined the same program with its source lines, in mem; functions and locations remain those
 * of `prog`. Debug information that only image_line() can read gives no lines. Returns 0; or -1 if
 * there can be no lines, since symbols are from a list or for a reason that is said. n log n.
 */
int program_read_lines(struct program *lined, struct image *image, const struct program *prog,
		       struct arena *mem, struct diag *diag);

/*
 * Returns the lines of the code at sorted addresses, and of all code that was compiled with it, in
 * mem; with `callers`, which takes longer, inlined code has its callers. No rows if symbols are
 * from a list, or if only image_line() can read the debug information. n log n in the units that
 * contain one of the addresses.
 */
struct line_table program_lines_at(const struct program *prog, struct image *image,
				   const address_list *pcs, bool callers, struct progress *progress,
				   struct arena *mem);

/*
 * Returns one location for each symbol, in mem: from these lines for symbols in `wanted`, empty for
 * others.
 */
const struct location *program_locations_by(const struct program *prog,
					    const struct line_table *lines,
					    const struct bitset *wanted, struct arena *mem);

/*
 * Adds the calls in the machine code to a program that was read. Returns 0, or -1 after an error
 * message. Linear in the code, n log n in the symbols.
 */
int program_read_calls(struct program *prog, struct image *image, const struct program_input *input,
		       struct arena *mem, struct diag *diag);

/*
 * Returns one location for each symbol, in mem. Symbols in `wanted`, or all if that is NULL, are
 * looked up; others are empty. Symbols of a list have no location; with source lines,
 * program_read() has looked up all.
 */
const struct location *program_locations(const struct program *prog, struct image *image,
					 const struct bitset *wanted, struct progress *progress,
					 struct arena *mem);

#endif
