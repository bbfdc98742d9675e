/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs the line programs of DWARF 2 to 5 and gives their rows as spans of code. */
#ifndef IO_IMAGE_LINE_PROGRAM_H
#define IO_IMAGE_LINE_PROGRAM_H

#include "io/image/line_header.h"

/* The code of one row: up to the next address of its sequence; never empty. */
struct line_program_span {
	uint64_t lo, hi;
	uint64_t file; /* number in the unit's list of files */
	unsigned line; /* 0: no line */
};

/* Where a line program ended, as an offset in the section. */
struct line_program_end {
	uint64_t at;
	const char *damage; /* what is wrong there; NULL: nothing */
};

/* Called for each span. */
typedef void line_program_take(const struct line_program_span *span, void *arg);

/*
 * Calls take() for the spans of all sequences, in the order of the program. Of several rows with
 * one address, the last counts. Rows without code, and rows of a sequence without an end, are left
 * out. Stops at damage; the spans before it are valid. Sets *end to where and why it ended. Returns
 * how many instructions it ran, at most `most`. Linear.
 */
uint64_t line_program_walk(const struct line_program *program, const struct line_header *header,
			   uint64_t most, line_program_take *take, void *arg,
			   struct line_program_end *end);

#endif
