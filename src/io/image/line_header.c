/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/image/line_header.h"

enum { LEAST_VERSION = 2, MOST_VERSION = 5, LONG_UNIT = 0xffffffff };

static uint64_t line_header_uint(struct cursor *c, unsigned nbytes)
{
	return cursor_uint(c, nbytes, "a line program");
}

/* Reads the program's length and version, and where its instructions begin. */
static const char *line_header_read_places(struct line_header *header, struct cursor *c)
{
	uint64_t length = line_header_uint(c, 4), before;

	header->width = 4;
	if (length == LONG_UNIT) {
		header->width = 8;
		length = line_header_uint(c, 8);
	}
	if (c->failed || length > cursor_left(c))
		return "its length is more than there is";
	header->end = c->size = c->at + (size_t)length;
	header->version = (unsigned)line_header_uint(c, 2);
	if (header->version < LEAST_VERSION || header->version > MOST_VERSION)
		return "a version that does not exist";
	if (header->version >= 5)
		line_header_uint(c, 2); /* sizes of an address and of a segment selector */
	before = line_header_uint(c, header->width);
	if (c->failed || before > cursor_left(c))
		return "a header longer than the rest";
	header->code = c->at + (size_t)before;
	return NULL;
}

const char *line_header_read(struct line_header *header, const struct line_program *program)
{
	struct diag silent = diag_silent(NULL);
	struct cursor c;
	const char *fault;

	if (program->at > program->size)
		return "it is beyond the end of the section";
	c = line_program_cursor(program, (size_t)program->at, program->size, &silent);
	fault = line_header_read_places(header, &c);
	if (fault)
		return fault;
	header->unit = (unsigned)line_header_uint(&c, 1);
	header->most_operations = header->version >= 4 ? (unsigned)line_header_uint(&c, 1) : 1;
	line_header_uint(&c, 1); /* default_is_stmt: whether rows are good places for breakpoints */
	header->line_base = (int8_t)line_header_uint(&c, 1);
	header->line_range = (unsigned)line_header_uint(&c, 1);
	header->opcode_base = (unsigned)line_header_uint(&c, 1);
	if (c.failed || header->opcode_base == 0 || header->line_range == 0 ||
	    header->most_operations == 0)
		return "a header without sense";
	header->operands = cursor_take(&c, header->opcode_base - 1, "a line program");
	header->tables = c.at;
	return c.failed ? "a header cut short" : NULL;
}
