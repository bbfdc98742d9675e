/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the headers of the line programs of DWARF 2 to 5, which say how their instructions are
 * encoded. */
#ifndef IO_IMAGE_LINE_HEADER_H
#define IO_IMAGE_LINE_HEADER_H

#include "base/cursor.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A section of strings; no bytes if there is none. */
struct line_texts {
	const unsigned char *bytes;
	size_t size;
};

/* A .debug_line section, and the offset at which the program of a unit begins. */
struct line_program {
	const unsigned char *bytes;
	size_t size;
	uint64_t at;
	bool big_endian;
	struct line_texts line_str,
		str; /* .debug_line_str and .debug_str, which may contain names */
};

/* Offsets count from the start of the section. */
struct line_header {
	size_t tables; /* the directories and files are from here to `code` */
	size_t code;   /* offset of the first instruction */
	size_t end;    /* offset after the last instruction */
	unsigned version;
	unsigned width; /* size of an offset, in bytes */
	unsigned unit, most_operations, line_range, opcode_base;
	int line_base;
	/* for each standard opcode, from opcode 1 on, its number of operands */
	const unsigned char *operands;
};

/*
 * Reads the header. Returns NULL, and all offsets are inside of the section; or returns what is
 * wrong.
 */
const char *line_header_read(struct line_header *header, const struct line_program *program);

/*
 * Returns a cursor over [at, end) of the section. It writes no messages; `silent` is a diag that
 * drops them.
 */
static inline struct cursor line_program_cursor(const struct line_program *program, size_t at,
						size_t end, struct diag *silent)
{
	return (struct cursor){ .start = program->bytes,
				.size = end,
				.at = at,
				.big_endian = program->big_endian,
				.name = "",
				.diag = silent };
}

#endif
