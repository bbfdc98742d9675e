/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names, numbers and colours in Graphviz output. */
#ifndef EXPORT_DOT_TEXT_H
#define EXPORT_DOT_TEXT_H

#include "export/export_view.h"

/*
 * Graphviz refuses strings of more than 16,384 bytes after quoting; these are the limits of the
 * parts of a string. A place is the file, line or address that distinguishes functions of the same
 * name.
 */
enum { DOT_STRING_BYTES = 15000, DOT_PLACE_BYTES = 4000, DOT_LABEL_BYTES = 1000 };

/* Writes text like quote_dot(), but at most `max` bytes; a longer text is cut and ends in "...". */
void dot_quote_cut(struct output *out, const char *text, size_t max, struct arena *mem);

/* Writes a function's name and its place, quoted, at most `max` bytes of each. If max is 0, the
 * name is shortened to 60 characters: by short_name_make(), then in its middle. */
void dot_name(struct output *out, const struct export_view *e, sym_id s, size_t max);

/* Writes the whole name of a node of the analysis, for an end of an edge. */
void dot_end_name(struct output *out, const struct export_view *e, uint32_t node);

/* Writes 0.123 as "12.3 %". */
void dot_percent(struct output *out, double share);

/* Writes a time, in the unit of e->integer_costs, with a suitable unit: "1.25 ms", "3 samples". */
void dot_time(struct output *out, const struct export_view *e, double time);

/* Writes the colours of a node by shares from 0 to 1: the fill by its self time, the border by its
 * total time, and a text colour that is readable on the fill. */
void dot_heat(struct output *out, double self, double total);

/* Writes the colour and width of an edge by its share, from 0 to 1. */
void dot_edge_heat(struct output *out, double share);

#endif
