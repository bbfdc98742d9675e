/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The headers of the line programs of DWARF 2 to 5: how their instructions are to be read. */
#ifndef IO_IMAGE_LINE_HEADER_H
#define IO_IMAGE_LINE_HEADER_H

#include "base/cursor.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The bytes of a section with texts; none if there is no such section. */
struct line_texts {
	const unsigned char *bytes;
	size_t size;
};

/* The bytes of a .debug_line section, and where in it the program of a unit begins. */
struct line_program {
	const unsigned char *bytes;
	size_t size;
	uint64_t at;
	bool big_endian;
	struct line_texts line_str, str; /* .debug_line_str and .debug_str, where names may be */
};

/* Places are bytes of the section. */
struct line_header {
	size_t tables; /* directories and files: from here up to `code` */
	size_t code;   /* the first instruction */
	size_t end;    /* of the program */
	unsigned version;
	unsigned width; /* bytes of an offset */
	unsigned unit, most_operations, line_range, opcode_base;
	int line_base;
	const unsigned char *operands; /* how many each standard opcode has, from the first on */
};

/* What is wrong with it, or NULL. What it says of places is true then. */
const char *line_header_read(struct line_header *header, const struct line_program *program);

/* From `at` up to `end`. It says nothing, so `silent` is what it is silent by. */
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
