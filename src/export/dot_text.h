/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names, numbers and colours in graphs of graphviz. */
#ifndef EXPORT_DOT_TEXT_H
#define EXPORT_DOT_TEXT_H

#include "export/view.h"

/*
 * Graphviz refuses a file with a string of more than 16,384 bytes, quoted. What strings consist of
 * keeps to parts of this. A place is what tells functions of one name apart, or a file.
 */
enum { DOT_STRING_BYTES = 15000, DOT_PLACE_BYTES = 4000, DOT_LABEL_BYTES = 1000 };

/* As quote_dot() has it, but at most `max` bytes and "..." where it was cut. */
void dot_quote_cut(struct output *out, const char *text, size_t max, struct arena *mem);

/*
 * A function's name, for use between quotes, and its place: at most `max` bytes of each. If max is
 * 0, the name is cut to 60 characters: first arguments are left out, then the middle.
 */
void dot_name(struct output *out, const struct export_view *e, sym_id s, size_t max);

/* The whole name of a node of the analysis at an end of an edge. */
void dot_end_name(struct output *out, const struct export_view *e, uint32_t node);

/* "12.3 %" of 0.123. */
void dot_percent(struct output *out, double share);

/* A time as e->integer_costs has them, with its unit: "1.25 ms", "3 samples". */
void dot_time(struct output *out, const struct export_view *e, double time);

/* Colours of a node, by shares from 0 to 1: filled for its self time, framed for its total time,
 * with text that can be read on both. */
void dot_heat(struct output *out, double self, double total);

/* Colour and width of an edge, by its share. */
void dot_edge_heat(struct output *out, double share);

#endif
