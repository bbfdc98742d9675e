/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Profiles that a machine without files has printed on its console (text_lines.h has the forms). */
#ifndef IO_PROFILE_TEXT_DUMP_H
#define IO_PROFILE_TEXT_DUMP_H

#include "base/arena.h"
#include "base/diag.h"

#include <stddef.h>

/* Whether a file that begins with these bytes is text, in which there may be a dump. */
bool text_dump_is_text(const unsigned char *bytes, size_t size);

struct text_dump {
	const unsigned char *bytes;
	size_t size;
};

enum text_dump_found {
	TEXT_DUMP_NONE,  /* the text has no line of a dump; nothing was said */
	TEXT_DUMP_WRONG, /* an error was said */
	TEXT_DUMP_DECODED,
};

/* A text, and what it is called in messages. */
struct text_dump_source {
	const unsigned char *text;
	size_t size;
	const char *name;
	bool salvages; /* what is missing in the dump is read as 0 */
	bool stacks;   /* the dump of its call stacks is wanted, not that of the profile */
};

/*
 * Decodes the dump in a text: of the forms in it the one with the most bytes; lines that are not of
 * that form are left out. Only the form of gmon_text.h has call stacks; the first profile of a text
 * is read, and the first call stacks, which tell by their stamp whether they belong to it. A line
 * that is missing or damaged is an error with its number or, if the source salvages, bytes of 0
 * that a warning counts. The result lives in mem. Linear in the text, but for lines that repeat
 * others: the result has at most TEXT_DUMP_MOST bytes.
 */
enum { TEXT_DUMP_MOST = 1 << 26 };
enum text_dump_found text_dump_decode(struct text_dump *dump, const struct text_dump_source *source,
				      struct arena *mem, struct diag *diag);

#endif
