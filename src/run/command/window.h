/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the output is shown on. */
#ifndef RUN_COMMAND_WINDOW_H
#define RUN_COMMAND_WINDOW_H

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

#endif
