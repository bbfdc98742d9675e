/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Asks the terminal, if an output is one, for its size and whether it shows colours. */
#ifndef BASE_WINDOW_H
#define BASE_WINDOW_H

#include "base/output.h"

struct window_size {
	uint32_t columns;
	uint32_t lines; /* 0: no limit */
};

/*
 * Returns the size of the terminal that out writes to: from the terminal, else from the variables
 * COLUMNS and LINES, else 80 and 24. If out is no terminal, COLUMNS or else 100
 * columns, and no limit of lines.
 */
struct window_size window_size(const struct output *out);

/* Whether out is a terminal and the user wants colours: https://no-color.org. */
bool window_has_colors(const struct output *out);

/*
 * Whether a line of progress can stay on the terminal while text is written to out: out is a file
 * or a device, neither the terminal nor a pipe to a pager there.
 */
bool window_keeps_progress(const struct output *out);

#endif
