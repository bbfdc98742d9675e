/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From an object file, and lists that may stand in for parts of it, to a program. */
#ifndef IO_IMAGE_PROGRAM_H
#define IO_IMAGE_PROGRAM_H

#include "base/bitset.h"
#include "io/image/image.h"

/* What of a program is to be read, and where from. */
struct program_input {
	const char *path;
	struct image_choice symbols;
	bool by_line;        /* make symbols of source lines, too */
	bool static_calls;   /* also the calls that are in the code */
	const char *symfile; /* a list of functions to use instead of the image's, or NULL */
	const char *mapfile; /* which functions are in which object files, or NULL */
};

/* A program of which nothing has been read but what kind of machine it is for. */
struct program program_begin(const struct image *image, const struct program_input *input);

/*
 * Reads the functions, and nothing else: into a program_begin(). Results live in mem. 0, or -1 with
 * the reason said. n log n in the symbols.
 */
int program_read_functions(struct program *prog, struct image *image,
			   const struct program_input *input, struct arena *mem, struct diag *diag);

/* The same with the source lines, if they are wanted. n log n in symbols and lines. */
int program_read(struct program *prog, struct image *image, const struct program_input *input,
		 struct arena *mem, struct diag *diag);

/*
 * The same program with its source lines, whose functions and locations stay as they are in `prog`;
 * in mem. Of debug information that only image_line() can read there are no lines. 0, or -1 if
 * there can be none: symbols are from a list, or for a reason that is said. n log n.
 */
int program_read_lines(struct program *lined, struct image *image, const struct program *prog,
		       struct arena *mem, struct diag *diag);

/*
 * The lines of the code at the n sorted addresses, and of what is compiled with it, with their
 * callers where they are inlined; in mem. No rows if symbols are from a list, or of debug
 * information that only image_line() can read. n log n in units that hold one of the addresses.
 */
struct line_table program_read_places(const struct program *prog, struct image *image,
				      const uint64_t *pc, size_t n, struct progress *progress,
				      struct arena *mem);

/* One location for each symbol, in mem: those in `wanted` by these lines, the others empty. */
const struct location *program_locations_by(const struct program *prog,
					    const struct line_table *lines,
					    const struct bitset *wanted, struct arena *mem);

/*
 * Adds the calls that are in the code to a program that was read. 0, or -1 with the reason said.
 * Linear in the code, n log n in the symbols.
 */
int program_read_calls(struct program *prog, struct image *image, const struct program_input *input,
		       struct arena *mem, struct diag *diag);

/*
 * One location for each symbol, in mem: those in `wanted`, or if NULL all, looked up, the others
 * empty. Symbols of a list have none; with source lines, all were looked up by program_read().
 */
const struct location *program_locations(const struct program *prog, struct image *image,
					 const struct bitset *wanted, struct progress *progress,
					 struct arena *mem);

#endif
