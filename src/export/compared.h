/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What formats that show a difference share. */
#ifndef EXPORT_COMPARED_H
#define EXPORT_COMPARED_H

#include "export/view.h"

/* "more", "less" or "noise". */
const char *compared_word(enum difference_verdict verdict);

/* What functions are that have more than before, or less: of events not "slower" and "faster". */
const char *compared_more(const struct difference *d);
const char *compared_less(const struct difference *d);

/* What columns of values are of: "s", "%", "samples" or, of events, their name. */
const char *compared_unit(const struct difference *d);

/* How a row was matched: "name", "suffix", "number", "renamed" or "none". */
const char *compared_rule(enum difference_rule rule);

/* The name of a node of e->joint. */
const char *compared_frame(const struct export_view *e, const struct stack_node *node);

/* Time of a run, from that of all, in the unit of integer_costs. */
double compared_run(const struct export_view *e, int side, uint64_t time);

#endif
