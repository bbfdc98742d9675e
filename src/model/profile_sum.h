/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adds up data files and profiles to one profile. */
#ifndef MODEL_PROFILE_SUM_H
#define MODEL_PROFILE_SUM_H

#include "base/index.h"
#include "model/profile.h"
#include "model/recorded_sum.h"

/*
 * A sum in the making. The caller sets prof.target, and `mem`, the arena for everything that is
 * allocated, and may set `spare`; all else is zero at the start.
 */
struct profile_sum {
	struct profile prof; /* the sum so far; callers only read it */
	struct arena *mem;
	struct hist spare;            /* if it has bins, all zero, the first histogram gets them */
	struct index ranges;          /* finds prof.hists by their range */
	struct index arcs;            /* finds prof.arcs, if they are distinct */
	struct recorded_index stacks; /* finds parts of prof.recorded */
	bool ranges_changed;   /* ranges were added since the last call of profile_sum_overlap() */
	size_t nmerged_blocks; /* this many blocks at the start have different addresses */
};

/* Why a histogram cannot be added to the earlier ones. */
enum hist_conflict { HIST_FITS, HIST_OTHER_SCALE, HIST_OTHER_DIMENSION, HIST_OTHER_ABBREV };

/*
 * Begins a file: all that is added from now on belongs to it. `name` must live as long as the
 * profile. The pointer is valid until the next call.
 */
struct profile_file *profile_sum_file(struct profile_sum *sum, const char *name);

/*
 * Returns the histogram with the range and number of bins of `like`; if it is the first such one,
 * it is added with all bins zero. The caller adds to its bins. NULL, and the reason in *why, if it
 * does not fit. The pointer is valid until the next call. Expected constant time.
 */
struct hist *profile_sum_hist(struct profile_sum *sum, const struct hist *like,
			      const struct unit *unit, enum hist_conflict *why);

/*
 * Whether two histograms with different ranges overlap; sets *first < *second to their indices. n
 * log n in the ranges; costs nothing if no range was added since the last check.
 */
bool profile_sum_overlap(struct profile_sum *sum, size_t *first, size_t *second);

/* A hint: makes room for n arcs if the first file is being read and has no arcs yet. */
void profile_sum_expect_arcs(struct profile_sum *sum, size_t n);

/*
 * Adds n arcs: calls are added to an arc with the same ends, other arcs are appended. Arcs of the
 * first file may repeat until there is a second one, since a file has few repeats, and finding them
 * takes time. Returns false if there might be more than UINT32_MAX arcs. Expected linear.
 */
bool profile_sum_arcs(struct profile_sum *sum, const struct raw_arc *arcs, size_t n);

/*
 * Adds the call stacks of the last file, and its calls and ticks of modules; all live in mem. If
 * they are the first ones, their memory moves to the sum's arena. `version` is the version of the
 * .ext file that they were read from, or 0 if they were in the data file. Returns false if the sum
 * would be too large; the sum must not be used then. See recorded_sum.h.
 */
bool profile_sum_stacks(struct profile_sum *sum, const struct recorded *more, unsigned version,
			struct arena *mem);

/* Adds a basic block. Returns false if there are UINT32_MAX blocks already. */
bool profile_sum_block(struct profile_sum *sum, const struct raw_block *block);

/*
 * Adds up basic blocks with the same address, if there are many more blocks than after the last
 * call. If it is called after each file, the number of blocks stays proportional to the number of
 * addresses. Expected linear in all calls together.
 */
void profile_sum_merge_blocks(struct profile_sum *sum);

/*
 * Adds the profile `more`, whose files come after those of the sum, as if they had been read into
 * it. Only the names of files are kept of its memory. Returns false if the two cannot be added; the
 * sum must not be used then. Expected linear in `more`, and the first time in the sum.
 */
bool profile_sum_add(struct profile_sum *sum, const struct profile *more);

/* Ends the sum and returns the profile, which lives in the sum's arena. */
struct profile profile_sum_end(struct profile_sum *sum);

/*
 * Returns the arcs of a profile, at most UINT32_MAX, with no two of the same ends: in mem, or the
 * profile's own arcs if they are distinct already. Expected linear.
 */
raw_arc_array profile_sum_distinct_arcs(const struct profile *prof, struct arena *mem);

#endif
