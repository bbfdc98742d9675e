/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The chart of --history. */
#ifndef EXPORT_HISTORYCHART_H
#define EXPORT_HISTORYCHART_H

#include "base/output.h"
#include "model/history.h"

/*
 * Writes a part of an HTML page: for each total a picture (SVG, without scripts) of the ratios with
 * their confidence intervals, the oldest left, at most 200. Its colours are those of
 * web/difference.css. Linear in entries.
 */
void historychart_write(const struct history *history, struct output *out);

#endif
