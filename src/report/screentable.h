/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table on the first screen: the functions that time is in. */
#ifndef REPORT_SCREENTABLE_H
#define REPORT_SCREENTABLE_H

#include "report/text.h"

/*
 * Its heads and the first nrows of view->top, a line each that fits on the screen: functions with
 * their times, calls, hottest lines and heaviest callers, as far as there is room. Linear in rows
 * and the text of what is shown.
 */
void screentable_write(const struct text *t, uint32_t nrows, struct output *out);

/* What times on the first screen are in. */
const char *screentable_unit(const struct text *t);

/* Whether inclusive times there are estimated, from numbers of calls. */
bool screentable_is_estimated(const struct text *t);

#endif
