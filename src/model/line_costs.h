/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What each piece of code and each call site cost, with their source lines: the one table of which
 * all times by source line are sums. */
#ifndef MODEL_LINE_COSTS_H
#define MODEL_LINE_COSTS_H

#include "model/symtab.h"

#include <stdint.h>
#include <string.h>

/* In place of a frame's function: the symbol that the code is in. */
#define FRAME_OWN UINT32_MAX

/* In place of a frame's caller: none, because its function is not inlined. */
#define FRAME_LAST UINT32_MAX

/* A source line, and the call that its function was inlined at. No two are alike. */
struct source_frame {
	const char *file;  /* as debug information has it; NULL: the line is not known */
	unsigned line;     /* from 1; 0 without file */
	uint32_t function; /* index into line_costs.inlined; or FRAME_OWN, and then the last */
	uint32_t caller;   /* index of the frame of the inlined call, or FRAME_LAST */
};

/* Code that samples fell on: the part of a bin that is of one line, or an address where stacks end.
 */
struct address_cost {
	uint64_t pc;
	sym_id symbol;
	uint32_t frame;         /* the innermost one */
	double ticks;           /* more than 0 */
	uint64_t self, samples; /* of a function, they add up to what integer_costs.h has of it */
};

/* Calls from an address; those that are only known from stacks were not counted. */
struct call_site_cost {
	uint64_t pc;
	sym_id from;
	uint32_t frame; /* the innermost one */
	uint64_t ncalls;
	uint64_t time; /* of an arc, they add up to what integer_costs.h has of it */
};

/* Whole numbers are 0 where the maker had no integer costs. */
struct line_costs {
	const struct source_frame *frame; /* a caller is before what was inlined there */
	uint32_t nframes;
	const char *const *inlined; /* functions, by their linkage names; no two alike */
	uint32_t ninlined;
	const struct address_cost *at; /* by symbol and address */
	uint32_t n;
	const uint32_t *start;             /* symbol s has start[s] up to, not with, start[s + 1] */
	const struct call_site_cost *call; /* those of an arc by address, no two alike */
	uint32_t ncalls;
	const uint32_t *arc_start;     /* of the graph's arcs, like start; then calls of no arc */
	const uint32_t *address_frame; /* of call_trees.address, or NULL without call stacks */
	const uint32_t *row_frame;     /* of the line table's rows, if asked for; else NULL */
};

/* A source line, whichever functions its code is in. */
struct line_sum {
	unsigned line; /* from 1 */
	double ticks;  /* more than 0 */
	uint64_t self; /* as integer_costs.h has times */
};

/* A line of another file whose code is in a function of this one: inlined, or included. */
struct included_line {
	const char *function; /* by its linkage name */
	const char *file;
	struct line_sum sum;
};

/* The lines of a source file. */
struct file_sum {
	const char *name;            /* as debug information has it */
	const struct line_sum *line; /* ascending */
	size_t nlines;
	double ticks;                         /* of all lines */
	const struct included_line *included; /* the most ticks first */
	size_t nincluded;
};

/* By name, in the order of their bytes; each has a line, or an included one. */
struct line_sums {
	const struct file_sum *file;
	size_t n;
};

/* The file of that name, or NULL. O(log n). */
static inline const struct file_sum *line_sums_find(const struct line_sums *sums, const char *name)
{
	size_t lo = 0, hi = sums->n;

	while (lo < hi) {
		size_t middle = lo + (hi - lo) / 2;
		int order = strcmp(sums->file[middle].name, name);

		if (order == 0)
			return &sums->file[middle];
		if (order < 0)
			lo = middle + 1;
		else
			hi = middle;
	}
	return NULL;
}

#endif
