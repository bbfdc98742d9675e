/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adding up what files and other profiles have, to one profile. */
#ifndef MODEL_PROFILE_SUM_H
#define MODEL_PROFILE_SUM_H

#include "base/index.h"
#include "model/profile.h"
#include "model/recorded_sum.h"

/*
 * The workshop. It starts with a profile, of which the target suffices, and an arena, where all
 * that it makes lives; the rest is zero.
 */
struct profile_sum {
	struct profile prof; /* what there is so far, to be read */
	struct arena *mem;
	struct index ranges;          /* of prof.hists */
	struct index arcs;            /* of prof.arcs, if they are distinct */
	struct recorded_index stacks; /* of prof.recorded */
	bool ranges_changed;          /* since the last profile_sum_overlap() */
	size_t nmerged_blocks;        /* the first ones, no two with the same address */
};

/* Why a histogram does not fit the ones before it. */
enum hist_conflict { HIST_FITS, HIST_OTHER_SCALE, HIST_OTHER_DIMENSION, HIST_OTHER_ABBREV };

/*
 * Begins a file: what is added next is from it. `name` must live as long as the profile. The
 * pointer is valid until the next call.
 */
struct profile_file *profile_sum_file(struct profile_sum *sum, const char *name);

/*
 * The histogram with the range and number of bins of `like`, made and zeroed if it is the first of
 * its kind; the caller adds to its bins. NULL, and *why, if it doesn't fit. The pointer is valid
 * until the next call. Expected constant time.
 */
struct hist *profile_sum_hist(struct profile_sum *sum, const struct hist *like,
			      const struct unit *unit, enum hist_conflict *why);

/*
 * Two histograms of different ranges that share addresses, if there are any: then true, with their
 * indices, first < second. n log n in the ranges; nothing if none came since the last check.
 */
bool profile_sum_overlap(struct profile_sum *sum, size_t *first, size_t *second);

/* Room for n arcs, if the first file is being read and none came yet: a hint. */
void profile_sum_expect_arcs(struct profile_sum *sum, size_t n);

/*
 * Adds n arcs: their calls to those that have the same ends, new ones at the end. Those of the
 * first file are kept as they come: one file has few repeats, which cost more to find; with the
 * second they are added up, too. false if there might be more than UINT32_MAX. Expected linear.
 */
bool profile_sum_arcs(struct profile_sum *sum, const struct raw_arc *arcs, size_t n);

/*
 * Adds the call stacks and the like of the last file, which live in mem; if they are the first,
 * what lives there lives in the sum's arena from then on. `version` is that of the file beside it
 * that had them, or 0 for its own. false if the sum would be too large; it is good for nothing
 * then. See recorded_sum.h.
 */
bool profile_sum_stacks(struct profile_sum *sum, const struct recorded *more, unsigned version,
			struct arena *mem);

/* Adds a basic block. false if there are UINT32_MAX. */
bool profile_sum_block(struct profile_sum *sum, const struct raw_block *block);

/*
 * Adds up the basic blocks with the same address if there are many more than last time. Called
 * after each file it keeps their number proportional to that of addresses; expected linear in all.
 */
void profile_sum_merge_blocks(struct profile_sum *sum);

/*
 * Adds `more`, of files that come behind those of the sum, as if they had been read into it; of
 * the memory of `more`, only the names of files are kept. false if the two do not fit; the sum is
 * good for nothing then. Expected linear in `more`, and in the sum the first time.
 */
bool profile_sum_add(struct profile_sum *sum, const struct profile *more);

/* The profile that came of it, in the sum's arena. The sum is then over. */
struct profile profile_sum_end(struct profile_sum *sum);

/*
 * The arcs of a profile, of which there are at most UINT32_MAX, no two with the same ends: in mem,
 * or the profile's own if it has no others. Expected linear.
 */
raw_arc_array profile_sum_distinct_arcs(const struct profile *prof, struct arena *mem);

#endif
