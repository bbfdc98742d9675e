/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An entry of --history. */
#ifndef EXPORT_HISTORYLINE_H
#define EXPORT_HISTORYLINE_H

#include "base/output.h"
#include "model/history.h"

/*
 * Writes an entry as one line of JSON, without a newline, of at most HISTORY_MOST_LINE bytes: when
 * and what was compared, the totals of the pairs, and the three functions whose time has changed
 * most of those that are marked. The label has at most HISTORY_MOST_LABEL bytes; d may be NULL:
 * functions were not compared. Linear in rows.
 */
void historyline_write(const char *time, const char *label, const struct paired *paired,
		       const struct difference *d, struct output *out);

#endif
