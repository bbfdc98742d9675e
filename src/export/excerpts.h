/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The source text of functions, cut out of their files. */
#ifndef EXPORT_EXCERPTS_H
#define EXPORT_EXCERPTS_H

#include "export/view.h"

/* Lines of a file; no two of one file share a line. */
struct excerpt {
	uint32_t file;  /* its number */
	unsigned line;  /* of the first */
	const char *at; /* all lines with their ends, */
	size_t size;    /* in so many bytes */
};

struct excerpts {
	const struct excerpt *at; /* by file and line */
	size_t n;
};

/*
 * Excerpts of e->sources, together no more than max bytes, for the functions with most time first.
 * number[s] is that of s's file. One reaches from the comment that stands above the function to
 * the first line that begins with '}' or "end" and is indented no more than the function; at most
 * 200 lines. With lines for symbols, it is a few around each. In e->mem. n log n in functions, and
 * linear in the files.
 */
struct excerpts excerpts_make(const struct export_view *e, const uint32_t *number, size_t max);

#endif
