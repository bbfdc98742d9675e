/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a program waited for, in a line. */
#ifndef REPORT_WAITS_H
#define REPORT_WAITS_H

#include "report/text.h"

/* "waiting 12.61 s: read 9.31 s, futex 3.30 s", and in front of it text_queued() if that is not 0,
 * in mem; t->waits is not NULL. Linear in symbols. */
const char *waits_line(const struct text *t, struct arena *mem);

#endif
