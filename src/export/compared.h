/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Words and values shared by formats that show a difference. */
#ifndef EXPORT_COMPARED_H
#define EXPORT_COMPARED_H

#include "export/export_view.h"

/* Returns "more", "less" or "noise". */
const char *compared_verdict(enum difference_verdict verdict);

/*
 * Return the words for functions that have more cost than before, or less: for times, "slower" and
 * "faster".
 */
const char *compared_more(const struct difference *d);
const char *compared_less(const struct difference *d);

/* Returns the unit of value columns: "s", "%", "samples" or the name of an event. */
const char *compared_unit(const struct difference *d);

/*
 * Returns a sentence that asks whether the sides are versions of one program, in mem; NULL unless
 * most of the time of both is in functions that the other one lacks.
 */
const char *compared_doubt(const struct difference *d, struct arena *mem);

/* Returns the rule by which a row was matched: "name", "suffix", "number", "renamed" or "none". */
const char *compared_rule(enum difference_rule rule);

/* Returns the name of a node of e->joint. */
const char *compared_frame(const struct export_view *e, const struct stack_node *node);

/* Converts the time of all runs of a side to time per run, in the unit of integer_costs. */
double compared_per_run(const struct export_view *e, int side, uint64_t time);

#endif
