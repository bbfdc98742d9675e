/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How symbols are written: name, place, cycle, index number. */
#ifndef REPORT_LABELS_H
#define REPORT_LABELS_H

#include "report/text.h"

/*
 * Allocates the labels in t->mem, after entries_order(), and makes all of them, with a second
 * thread if they are very many, if most can be printed, or those of functions in a long call graph.
 * If each is written at most once, none is kept: the current line's are in the arena `line` until
 * the next line. Linear in symbols.
 */
void labels_make(struct text *t, struct arena *line);

/* Whether two threads may write names. The second thread uses its own copy of the text, with its
 * own arena `line`. */
bool labels_are_read_only(const struct text *t);
struct text labels_text_of_second(const struct text *t, struct arena *mem);

/*
 * Prefetch what is needed to write a symbol: labels_prefetch() its label and data,
 * labels_prefetch_name() its name, some time later. In a report of 10^6 functions nearly every
 * access is a cache miss.
 */
void labels_prefetch(const struct text *t, sym_id s);
void labels_prefetch_name(const struct text *t, sym_id s);

/* Writes a symbol's demangled name, with its place if requested; returns the bytes written. */
size_t labels_name(const struct text *t, sym_id s, struct output *out);

/* Returns the width of that name in terminal columns. Linear in the name. */
uint32_t labels_columns(const struct text *t, sym_id s);

/*
 * Writes the symbol's demangled name in at most `columns` columns, shortened by short_name_fit();
 * TEXT_ALL is no limit.
 */
void labels_name_within(const struct text *t, sym_id s, uint32_t columns, struct output *out);

/*
 * Writes a symbol's name as in the call graph, followed by its cycle and, if there is a call graph,
 * its number; and ends the line. All of it takes at most `columns` columns; TEXT_ALL is no limit.
 */
void labels_graph_name(const struct text *t, sym_id s, uint32_t columns, struct output *out);

/* Does the same on a line that has a style, and ends the style; the cycle has a different style. */
void labels_styled_graph_name(const struct text *t, sym_id s, uint32_t columns, struct output *out);

/* Returns the calls of a symbol, or of its cycle, by others. */
uint64_t labels_all_calls(const struct text *t, sym_id s);

enum { LABEL_NUMBER_BYTES = 32 };

/* Formats "[7]", or "(7)" for a node without an entry in the call graph; returns its length. */
size_t labels_number(const struct text *t, uint32_t node, char number[LABEL_NUMBER_BYTES]);

/*
 * Returns the name of a source file as reports show it: the base name, or on request the whole
 * path.
 */
const char *labels_file(const struct text *t, const char *file);

#endif
