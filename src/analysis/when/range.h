/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Selects the samples of a range of the run's time. */
#ifndef ANALYSIS_WHEN_RANGE_H
#define ANALYSIS_WHEN_RANGE_H

#include "base/arena.h"
#include "model/recorded.h"

#include <stdbool.h>

/* What the user asks for, in seconds since the start of the run; all zero: the whole run. */
struct range {
	double from, to; /* `to` counts only if has_to is set */
	bool has_from, has_to;
};

/* What was selected. */
struct range_chosen {
	double from, to;   /* the edges, rounded to slices; equal: no slice is inside */
	double end;        /* of the run */
	double slice_s;    /* the longest slices' length */
	uint64_t timeless; /* ticks of CPU time in no slice, so that their time is not known */
	uint64_t ticks;    /* ticks of CPU time in the range */
};

/* Whether all samples have slices: each recording with samples has a timeline. Linear. */
bool range_is_possible(const struct recorded *r, const struct arena *mem);

/*
 * Replaces the samples of r by their ticks in the range, in mem: those of slices whose middle is
 * inside. What is known only of whole threads is divided as their ticks are: CPU time, and the
 * numbers from which errors are computed. The time in which threads were ready to run, and for
 * which they were watched, becomes unknown. Linear, and n log n in recordings.
 */
struct range_chosen range_select(struct recorded *r, const struct range *range, struct arena *mem);

#endif
