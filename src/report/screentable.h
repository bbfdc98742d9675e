/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table on the first screen: the functions with most time. */
#ifndef REPORT_SCREENTABLE_H
#define REPORT_SCREENTABLE_H

#include "report/text.h"

/*
 * Writes the heads and the first nrows of view->top, each on one line that fits on the screen:
 * functions with their times, calls, hottest lines and heaviest callers, as far as there is room.
 * Linear in rows and the text shown.
 */
void screentable_write(const struct text *t, uint32_t nrows, struct output *out);

/* The unit of times on the first screen. */
const char *screentable_unit(const struct text *t);

/* Whether its inclusive times are estimated from call counts. */
bool screentable_is_estimated(const struct text *t);

#endif
