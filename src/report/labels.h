/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How symbols are written: names, places, cycles, index numbers. */
#ifndef REPORT_LABELS_H
#define REPORT_LABELS_H

#include "report/text.h"

/*
 * Makes room for the labels, in t->mem, after entries_order(); and makes all of them if most can be
 * printed, or those of functions in a long call graph; very many with a second thread. Where each
 * is written once, at most, none are kept: what a line needs is in the arena `line`, which is
 * empty, until the next. Linear in symbols.
 */
void labels_make(struct text *t, struct arena *line);

/*
 * Whether two threads may write names. The second one does so by a text of its own, with an arena
 * for what it needs for a moment.
 */
bool labels_are_read_only(const struct text *t);
struct text labels_text_of_second(const struct text *t, struct arena *mem);

/*
 * Ahead of use, so that memory has what a symbol needs to be written when its turn comes: first its
 * label and data, some time later its name. In a report of 10^6 functions nearly each is missing
 * in the caches.
 */
void labels_expect(const struct text *t, sym_id s);
void labels_expect_name(const struct text *t, sym_id s);

/* Writes a symbol's readable name, with its place if that was asked for; returns the bytes written.
 */
size_t labels_name(const struct text *t, sym_id s, struct output *out);

/* How many columns of a screen that takes. Linear in the name. */
uint32_t labels_columns(const struct text *t, sym_id s);

/* The same name in at most so many columns, shortened as display_width_cut_name() does it; or
 * TEXT_ALL. */
void labels_name_within(const struct text *t, sym_id s, uint32_t columns, struct output *out);

/*
 * Writes a symbol's name as the call graph has it, with its cycle behind it and, if there is a call
 * graph, its number; and ends the line. All of it in at most so many columns, or TEXT_ALL.
 */
void labels_graph_name(const struct text *t, sym_id s, uint32_t columns, struct output *out);

/* The same on a line that has a style, which ends with it; the cycle has its own. */
void labels_styled_graph_name(const struct text *t, sym_id s, uint32_t columns, struct output *out);

/* Calls of a symbol, or of its cycle, by others. */
uint64_t labels_all_calls(const struct text *t, sym_id s);

enum { LABEL_NUMBER_BYTES = 32 };

/* "[7]", or "(7)" for a node that has no entry in the call graph; returns its length. */
size_t labels_number(const struct text *t, uint32_t node, char number[LABEL_NUMBER_BYTES]);

/* The name of a source file as reports show it: the last part, or all of it on request. */
const char *labels_file(const struct text *t, const char *file);

#endif
