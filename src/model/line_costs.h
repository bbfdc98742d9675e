/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where in a function's code samples fell, and where in it calls are made: addresses and source. */
#ifndef MODEL_LINE_COSTS_H
#define MODEL_LINE_COSTS_H

#include "model/symtab.h"

#include <stdint.h>

/* In place of a frame's function: the symbol that the code is in. */
#define FRAME_OWN UINT32_MAX

/* In place of a frame's caller: none, because its function is not inlined. */
#define FRAME_LAST UINT32_MAX

/* A source line. No two frames are alike. */
struct source_frame {
	const char *file; /* as debug information has it, or NULL: it has none of this code */
	unsigned line;    /* from 1; 0 without file */
	uint32_t
		function; /* that was inlined, of places.inlined; or FRAME_OWN, and then the last */
	uint32_t caller;  /* the frame of the call that became inlined code, or FRAME_LAST */
};

/* Code of a function that samples fell on: a bin, or the part of it that is of one line. */
struct code_place {
	uint64_t pc;
	uint32_t frame;         /* the innermost one */
	uint64_t self, samples; /* of a function, they add up to what integer_costs.h has of it */
};

/* A call, at the address that was recorded; none were counted of those on stacks alone. */
struct call_place {
	uint64_t pc;
	uint32_t frame;
	uint64_t ncalls;
	uint64_t time; /* of an arc, they add up to what integer_costs.h has of it */
};

struct line_costs {
	const struct source_frame *frame; /* callers before those inlined there */
	uint32_t nframes;
	const char *const *inlined; /* functions, as the linker would know them; none alike */
	uint32_t ninlined;
	const struct code_place *at; /* by address */
	uint32_t nplaces;
	const uint32_t *start; /* those of symbol s: start[s] up to, not with, start[s + 1] */
	const struct call_place *call; /* those of an arc by address, none alike */
	const uint32_t *arc_start;     /* those of an arc of the graph: as start has it */
	const uint32_t *address_frame; /* with call_trees, of each address; else NULL */
};

/* A source line, whichever functions its code is in. */
struct line_sum {
	const char *file; /* as debug information has it */
	unsigned line;    /* from 1 */
	uint64_t self;    /* as integer_costs.h has times; more than 0 */
};

/* By file, in the order of their bytes, and line; no two alike. */
struct line_sums {
	const struct line_sum *at;
	size_t n;
};

#endif
