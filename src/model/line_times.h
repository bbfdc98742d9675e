/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Samples by source line, whichever functions its code is in. */
#ifndef MODEL_LINE_TIMES_H
#define MODEL_LINE_TIMES_H

#include <stddef.h>
#include <stdint.h>

struct line_time {
	const char *file; /* as debug information has it */
	unsigned line;    /* from 1 */
	uint64_t self;    /* as amounts.h has times; more than 0 */
};

/* By file, in the order of their bytes, and line; no two alike. */
struct line_times {
	const struct line_time *at;
	size_t n;
};

#endif
