/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What --versus says of the totals of two programs, before the report of their functions. */
#ifndef REPORT_VERDICT_H
#define REPORT_VERDICT_H

#include "base/output.h"
#include "model/paired.h"

/*
 * Writes the verdict: another answer of the new program first, then in a sentence how much of the
 * old program's time the new one takes, then each total. `d` is the difference of functions, or
 * NULL. `brief` omits the explanation. Constant time.
 */
void verdict_write(const struct paired *paired, const struct difference *d, bool brief,
		   struct output *out);

#endif
