/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The source text of functions, cut out of their files. */
#ifndef EXPORT_EXCERPTS_H
#define EXPORT_EXCERPTS_H

#include "export/view.h"

/* Lines of a file; no two of one file share a line. */
struct excerpt {
	uint32_t file;  /* its number */
	unsigned line;  /* of the first */
	const char *at; /* all its lines with their ends, */
	size_t size;    /* in bytes */
};

struct excerpts {
	const struct excerpt *at; /* by file and line */
	size_t n;
};

/*
 * Excerpts of e->sources, at most max bytes together; the functions with most self time come
 * first. number[s] is the number of s's file. An excerpt begins with the comment above the function
 * and ends with the first line that begins with '}' or "end" and is indented no more than the
 * function; it has at most 200 lines. If symbols are lines, it is a few lines around each. In
 * e->mem. n log n in functions, linear in the bytes of files.
 */
struct excerpts excerpts_make(const struct export_view *e, const uint32_t *number, size_t max);

#endif
