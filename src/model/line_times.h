/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Samples by source line, whichever functions its code is in. */
#ifndef MODEL_LINE_TIMES_H
#define MODEL_LINE_TIMES_H

#include <stdbool.h>
#include <stddef.h>

struct line_time {
	const char *file; /* as debug information has it */
	unsigned line;    /* from 1 */
	double ticks;     /* more than 0 */
};

/* A line of one file whose code is in a function of another: inlined there, or included. */
struct line_guest {
	const char *home;     /* the file of the function */
	const char *function; /* by its linker name */
	struct line_time line;
};

/* Lines by file, in the order of their bytes, and line, no two alike; guests by home in the same
 * order, and time, the most first. */
struct line_times {
	const struct line_time *at;
	size_t n;
	const struct line_guest *guest;
	size_t nguests;
};

/* Those of one file, and its guests. O(log n). */
struct line_times line_times_of_file(const struct line_times *times, const char *file);

#endif
