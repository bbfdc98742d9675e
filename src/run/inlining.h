/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The line tables that tell what was inlined where samples are. */
#ifndef RUN_INLINING_H
#define RUN_INLINING_H

#include "io/image/program.h"
#include "run/libraries.h"

struct inlining_input {
	const struct program *program;
	struct image *image;
	const struct profile *located; /* by the addresses of the program */
	bool has_stacks;               /* that count; else bins do */
	const struct module_code
		*code; /* of each module, if functions of some are shown; or NULL */
	struct progress *progress;
};

/*
 * Lines with callers of the program's code on stacks, or only of where these end, or in bins with
 * samples; in mem. No rows without debug information. n log n in units that hold such code.
 */
struct line_table inlining_lines(const struct inlining_input *in, bool ends, struct arena *mem);

/* The same for all code on stacks of modules whose functions are shown, one for each, or NULL. */
const struct line_table *inlining_module_lines(const struct inlining_input *in, struct arena *mem);

#endif
