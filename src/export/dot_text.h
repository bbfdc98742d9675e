/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names, numbers and colours in graphs of graphviz. */
#ifndef EXPORT_DOT_TEXT_H
#define EXPORT_DOT_TEXT_H

#include "export/view.h"

/* For use between quotes: a function's name; if not whole, of at most 60 characters, with arguments
 * left out first, and then of what is left the middle. */
void dot_name(struct output *out, const struct export_view *e, sym_id s, bool whole);

/* The whole name of a node of the analysis at an end of an edge. */
void dot_end_name(struct output *out, const struct export_view *e, uint32_t node);

/* "12.3 %" of 0.123. */
void dot_percent(struct output *out, double share);

/* In seconds or their parts, or in samples, as e has time. */
void dot_time(struct output *out, const struct export_view *e, double time);

/* Attributes of a node, by its shares from 0 to 1: filled with the heat of its own time, framed by
 * that of all its time, with text that can be read. */
void dot_heat(struct output *out, double self, double total);

/* Those of an edge. */
void dot_edge_heat(struct output *out, double share);

#endif
