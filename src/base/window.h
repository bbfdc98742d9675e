/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The terminal that an output may be: its size, and whether it has colours. */
#ifndef BASE_WINDOW_H
#define BASE_WINDOW_H

#include "base/output.h"

struct window_size {
	uint32_t columns;
	uint32_t lines; /* 0: no limit */
};

/*
 * Of the terminal that out is: as it says, or else the variables COLUMNS and LINES, or 80 and 24.
 * What is no terminal has 100 columns.
 */
struct window_size window_size(const struct output *out);

/* Whether out is a terminal that is to have colours: https://no-color.org. */
bool window_has_colors(const struct output *out);

/* Whether a line of progress can stay on the terminal while text is written to out: out is a file
 * or a device, not the terminal, nor a pipe to a pager there. */
bool window_keeps_progress(const struct output *out);

#endif
