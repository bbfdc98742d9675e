/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The line programs of DWARF 2 to 5, as spans of code. */
#ifndef IO_IMAGE_LINE_PROGRAM_H
#define IO_IMAGE_LINE_PROGRAM_H

#include "io/image/line_header.h"

/* Code that one row stands for: up to the next address of its sequence, so never empty. */
struct line_program_span {
	uint64_t lo, hi;
	uint64_t file; /* as the unit numbers its files */
	unsigned line; /* 0: of no line */
};

/* Where a walk ended, as a byte of the section. */
struct line_program_end {
	uint64_t at;
	const char *damage; /* what is wrong there, or NULL: nothing is */
};

/* What takes the spans. */
typedef void line_program_take(const struct line_program_span *span, void *arg);

/*
 * The spans of all sequences, in the order of the program. Of rows with one address the last
 * counts. A row without code, and one that no end of a sequence follows, are left out. Where the
 * program is damaged, the walk ends; spans before it are good. The number of its instructions that
 * were looked at, at most `most`. `end` gets where and why. Linear.
 */
uint64_t line_program_walk(const struct line_program *program, const struct line_header *header,
			   uint64_t most, line_program_take *take, void *arg,
			   struct line_program_end *end);

#endif
