/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The writers of the text reports. They write and compute nothing. */
#ifndef REPORT_VIEWS_H
#define REPORT_VIEWS_H

#include "report/text.h"

/* Writes what each data file contains. */
void info_write(const struct text *t, struct output *out);

/* Writes view->top on one screen. n log n in functions; linear in the text shown. */
void screen_write(const struct text *t, struct output *out);

/* Writes the functions sorted by self time. n log n in functions. */
void flat_write(const struct text *t, struct output *out);

/* Writes the functions sorted by inclusive time. n log n in functions. */
void inclusive_write(const struct text *t, struct output *out);

/* Writes the paths on call stacks as a tree. Linear in its nodes. */
void calltree_write(const struct text *t, struct output *out);

/*
 * Writes the source of some functions with the time of each line. Linear in text, and in lines with
 * code.
 */
void sourcelines_write(const struct text *t, struct output *out);

/* Writes view->instructions, with their source lines. Linear in instructions, times log n. */
void instructions_write(const struct text *t, struct output *out);

/* Writes view->blame: who held others up, and who waited. Linear. */
void blame_write(const struct text *t, struct output *out);

/* Writes the threads with their time. n log n in threads. */
void threads_write(const struct text *t, struct output *out);

/* Write the programs of a run, and its processes, with their time. Linear in these. */
void processes_write_programs(const struct text *t, struct output *out);
void processes_write(const struct text *t, struct output *out);

/* Writes view->ranks: functions by how much they differ between ranks, or ranks that differ from
 * others. Linear in rows and ranks. */
void ranks_write(const struct text *t, struct output *out);

/* Writes the program and its libraries, sorted by time. n log n in objects. */
void objects_write(const struct text *t, struct output *out);

/*
 * Writes each function with its callers and callees. n log n in functions and in the arcs of each.
 */
void callgraph_write(const struct text *t, struct output *out);

/* Writes function names with their numbers in the call graph. n log n in functions. */
void index_write(const struct text *t, struct output *out);

/* Writes the calls of each function, by source file and line. n log n in functions. */
void counts_write(const struct text *t, struct output *out);

/*
 * Writes the order of functions or object files, one name per line without other text, as linkers
 * read it.
 */
void ordering_write(const struct text *t, struct output *out);

/* Writes source text with the counts of its lines. Linear in text, n log n in lines. */
void annotate_write(const struct text *t, struct output *out);

#endif
