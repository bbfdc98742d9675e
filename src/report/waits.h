/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A line on what a program waited for. */
#ifndef REPORT_WAITS_H
#define REPORT_WAITS_H

#include "report/text.h"

/* "waiting 12.61 s: read 9.31 s, futex 3.30 s", after text_queued() if that is not 0, in mem.
 * t->waits must not be NULL. Linear in symbols. */
const char *waits_line(const struct text *t, struct arena *mem);

#endif
