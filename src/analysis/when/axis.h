/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lays the slices of all recordings (model/recorded.h) on one axis of seconds. */
#ifndef ANALYSIS_WHEN_AXIS_H
#define ANALYSIS_WHEN_AXIS_H

#include "base/arena.h"
#include "model/recorded.h"

/* The slices of a recording. */
struct axis_line {
	const struct recorded_timeline *timeline; /* NULL: it has no slices */
	double start;                             /* of its first slice, in seconds on the axis */
	double slice_s;                           /* length of a slice in seconds */
};

struct axis {
	struct axis_line *of; /* for each recording */
	double end;           /* of the last slice of all */
};

/*
 * Second 0 is when the first process of a run began. Recordings belong to the same run if each
 * began before all of those before it had ended, or within a second after that; each other run of a
 * sum begins at 0, too. Lives in mem. n log n in recordings.
 */
struct axis axis_make(const struct recorded *r, struct arena *mem);

/* Returns the slices of the recording of a sample. */
static inline const struct axis_line *axis_of(const struct axis *axis, const struct recorded *r,
					      uint32_t sample)
{
	return &axis->of[r->threads.at[r->samples.at[sample].thread].recording];
}

/* Returns when a slice begins or, as the one after it, ends, in seconds on the axis. */
static inline double axis_at(const struct axis_line *line, uint32_t slice)
{
	return line->start + slice * line->slice_s;
}

#endif
