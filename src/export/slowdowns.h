/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What became slower, as a list of findings for continuous integration. */
#ifndef EXPORT_SLOWDOWNS_H
#define EXPORT_SLOWDOWNS_H

#include "export/export_view.h"

enum slowdown_kind {
	SLOWDOWN_ANSWER,   /* the new program writes something else, or has another status */
	SLOWDOWN_TOTAL,    /* a total grew */
	SLOWDOWN_FUNCTION, /* a function grew */
	SLOWDOWN_KINDS
};

struct slowdown {
	enum slowdown_kind kind;
	const char *text;     /* a sentence without full stop, with the function's name */
	const char *function; /* its demangled name, or NULL */
	const char *file;     /* its source file, below the current directory if it can be; NULL:
				 not known */
	uint32_t line;        /* 0: not known */
	double percent;       /* by how much it grew, of its own value before; 0: not known */
};

struct slowdowns {
	const struct slowdown *at;
	uint32_t n;
	uint32_t more; /* that are left out */
	/* a sentence on the whole, without full stop; NULL: only files were compared */
	const char *verdict;
};

/* Lists at most `most` of e->difference and e->paired: what is worst first. In e->mem. Linear. */
struct slowdowns slowdowns_list(const struct export_view *e, uint32_t most);

#endif
