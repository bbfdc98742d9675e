/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The source text of functions, cut out of their files. */
#ifndef EXPORT_EXCERPTS_H
#define EXPORT_EXCERPTS_H

#include "export/export_view.h"

/* A range of lines of a file; no two excerpts overlap. */
struct excerpt {
	uint32_t file;  /* number of the file */
	unsigned line;  /* number of the first line */
	const char *at; /* text of all its lines, including newlines */
	size_t size;    /* in bytes */
};

struct excerpts {
	const struct excerpt *at; /* sorted by file and line */
	size_t n;
};

/*
 * Makes excerpts of e->sources, in e->mem, of at most max bytes together; functions with most self
 * time have priority. number[s] is the number of s's file. An excerpt begins with the comment above
 * the function and ends with the first line that begins with '}' or "end" and is indented no more
 * than the function; it has at most 200 lines. If symbols are lines, it is a few lines around each.
 * n log n in functions, linear in the bytes of files.
 */
struct excerpts excerpts_make(const struct export_view *e, const uint32_t *number, size_t max);

#endif
