/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The costs of all code and all call sites, with their source lines: the one table from which all
 * times by source line are added up.
 */
#ifndef MODEL_LINE_COSTS_H
#define MODEL_LINE_COSTS_H

#include "model/symtab.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* In place of a frame's function: the symbol that the code is in. */
#define FRAME_OWN UINT32_MAX

/* In place of a frame's caller: none, because its function is not inlined. */
#define FRAME_LAST UINT32_MAX

/* A source line, and the call by which its function was inlined. All frames differ. */
struct source_frame {
	const char *file; /* as debug information has it; NULL: the line is not known */
	unsigned line;    /* from 1; 0 without file */
	/* index into line_costs.inlined; FRAME_OWN in the last frame of a chain */
	uint32_t function;
	uint32_t caller; /* index of the frame of the call that was inlined; FRAME_LAST: none */
};

/* Code with samples: the part of a bin that belongs to one line, or an address where stacks end. */
struct address_cost {
	uint64_t pc;
	sym_id symbol;
	uint32_t frame; /* the innermost frame */
	double ticks;   /* more than 0 */
	uint64_t self,
		samples; /* over a function's code, these add up to its values in integer_costs.h */
};

/* Calls from an address. Calls that are known only from stacks have no count. */
struct call_site_cost {
	uint64_t pc;
	sym_id from;
	uint32_t frame; /* the innermost frame */
	uint64_t ncalls;
	uint64_t time; /* over an arc's call sites, this adds up to its value in integer_costs.h */
};

/* Whole numbers are 0 if no integer costs were given to the maker. */
struct line_costs {
	/* a caller comes before the code that was inlined there */
	const struct source_frame *frame;
	uint32_t nframes;
	const char *const *inlined; /* linkage names of the inlined functions, all different */
	uint32_t ninlined;
	const struct address_cost *at; /* sorted by symbol and address */
	uint32_t n;
	/* symbol s has at[start[s]] up to, but not including, at[start[s + 1]] */
	const uint32_t *start;
	/* call sites of each arc, sorted by address, all different */
	const struct call_site_cost *call;
	uint32_t ncalls;
	const uint32_t *arc_start; /* for the graph's arcs as `start` for symbols; call sites of no
				      arc come last */
	const uint32_t *address_frame; /* for each entry of call_trees.address, its frame; NULL
					  without call stacks */
	const uint32_t *block_frame;   /* for each basic block of the profile, its frame */
};

/* Costs of a source line, whichever functions its code belongs to. */
struct line_sum {
	unsigned line; /* from 1 */
	double ticks;  /* more than 0 */
	uint64_t self; /* in the unit of integer_costs.h */
};

/* A line of another file whose code is in a function of this file: it was inlined or included. */
struct included_line {
	const char *function; /* its linkage name */
	const char *file;
	struct line_sum sum;
};

/* The lines of a source file. */
struct file_sum {
	const char *name;            /* as debug information has it */
	const struct line_sum *line; /* sorted by line */
	size_t nlines;
	double ticks;                         /* of all lines */
	const struct included_line *included; /* sorted by ticks, the most first */
	size_t nincluded;
};

/* Sorted by name, in byte order; each file has a line or an included line. */
struct line_sums {
	const struct file_sum *file;
	size_t n;
};

/* In place of a function's number: none. */
#define LINE_WHOLE_NONE UINT32_MAX

/*
 * A source line with what was inlined there, or a function that was inlined on a line. Times are in
 * the unit of integer_costs.h.
 */
struct line_whole {
	const char *file; /* as debug information has it */
	unsigned line;    /* from 1 */
	/* the function that was inlined on this line: a symbol or, if symbols have no inlined
	 * functions, an index into line_costs.inlined; LINE_WHOLE_NONE: this is the line itself */
	uint32_t inlined;
	uint64_t self;  /* in the line's code, and in that of functions inlined there */
	uint64_t whole; /* with all that these called; `self` if there are no stacks */
};

/* Sorted by file in byte order, line, and time: the line itself, then what was inlined there. */
struct line_wholes {
	const struct line_whole *at;
	size_t n;
	bool by_symbol; /* line_whole.inlined is a symbol */
};

/* Returns the file with this name, or NULL. O(log n). */
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
