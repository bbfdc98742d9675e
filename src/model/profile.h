/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A profile: recorded data by address, without symbols. */
#ifndef MODEL_PROFILE_H
#define MODEL_PROFILE_H

#include "base/arena.h"
#include "base/array.h"
#include "model/recorded.h"
#include "model/target.h"
#include "model/unit.h"

#include <stdbool.h>
#include <stdint.h>

/* A histogram: bins of equal width over [lo, hi), lo <= hi. Bins are measured in units of 2 bytes.
 */
struct hist {
	uint64_t lo, hi;
	uint32_t nbins;
	uint64_t *ticks;
};

/* Returns the first bin from `bin` on that has ticks; nbins if there is none. Linear. */
static inline uint32_t profile_next_bin(const struct hist *hist, uint32_t bin)
{
	const uint64_t *t = hist->ticks + bin, *end = hist->ticks + hist->nbins;

	if (bin < hist->nbins && hist->ticks[bin] > 0)
		return bin;
	/* Most bins of most histograms are empty. */
	while (end - t >= 8 && (t[0] | t[1] | t[2] | t[3] | t[4] | t[5] | t[6] | t[7]) == 0)
		t += 8;
	while (t < end && *t == 0)
		t++;
	return (uint32_t)(t - hist->ticks);
}

/* Calls of the function at self_pc from the call site at from_pc. Repeats add up. */
struct raw_arc {
	uint64_t from_pc, self_pc, ncalls;
};

typedef ARRAY(struct raw_arc) raw_arc_array;

/* Ticks at one address. */
struct raw_point {
	uint64_t pc, ticks;
};

/* How often the basic block that begins at pc was executed. Repeats add up. */
struct raw_block {
	uint64_t pc, count;
};

/* Counts of basic blocks by symbol, no two of one address. */
struct blocks {
	uint32_t n;
	const uint32_t *start; /* blocks of symbol s: start[s] up to, but not including, start[s +
				  1], in the order of the data */
	const uint64_t *pc, *count;
};

/*
 * Statistics of a data file's call stacks (nrecordings is 0 if it has none) and of its calls and
 * ticks of modules (nobjects is 0 if it has none).
 */
struct profile_stacks {
	unsigned version;            /* version of the .ext file that has the stacks, or 0 */
	uint32_t nrecordings, nlack; /* for a sum: numbers of recordings with stacks, and without */
	size_t nmodules, nthreads, nkinds, nnodes, nsamples;
	uint64_t ticks[STACK_QUALITIES]; /* of the first kind, by quality */
	uint64_t other_ticks;
	uint32_t nobjects; /* for a sum: as in struct recorded */
	size_t narcs, nbins;
	uint64_t ncalls, bin_ticks;
};

/* Whether the file has stacks, or calls and ticks of modules. */
static inline bool profile_stacks_any(const struct profile_stacks *stacks)
{
	return stacks->nrecordings > 0 || stacks->nobjects > 0;
}

/* A data file, for the report on files. */
struct profile_file {
	const char *name;
	unsigned version;
	uint64_t nhists, narcs, nblocks;
	bool in_order; /* its arcs are in the order of first calls */
	struct profile_stacks stacks;
	const unsigned char *bytes; /* content of the file, or NULL; see keeps_pipes */
	size_t size;
};

/*
 * The sum of the files that were read. hists, arcs and blocks are in the order in which they first
 * appeared; no two hists have the same range. profile_sum makes a profile from files and other
 * profiles, profile_map() from one with other addresses. Only these, and readers and writers of
 * files, need to know all its parts.
 */
struct profile {
	struct target target;
	struct unit unit; /* unit of the first histogram */
	ARRAY(struct hist) hists;
	ARRAY(struct raw_point)
	points; /* not from files: analysis/functions/rebase.h makes them from ticks outside of the
		   program */
	raw_arc_array arcs;
	ARRAY(struct raw_block) blocks;
	ARRAY(struct profile_file) files;
	struct recorded recorded; /* contents of gmon.out.ext, which not all files have */
	bool has_hists, has_arcs; /* there were such records, even if they had no counts */
	bool has_distinct_arcs;   /* no two arcs have the same ends */
	bool skips_arcs;          /* readers may skip arcs, as they are not needed */
	bool keeps_pipes; /* readers keep the content of files, if there is a file that cannot be
			     read again */
	bool salvages;    /* readers take a dump as text with what is missing in it as 0 */
};

/*
 * Returns how many units of 2 bytes a bin has, possibly a fraction; 0 without bins. Reports call
 * this the granularity.
 */
double profile_hist_scale(const struct hist *hist);

/*
 * The histogram for ticks at unknown addresses begins this many bytes before the end of the address
 * space.
 */
enum { UNKNOWN_BEFORE = 8 };

/*
 * Whether a histogram has the ticks for which no sample was taken, which belong to no function; see
 * gmon_out.h.
 */
bool profile_is_unknown(const struct profile *prof, const struct hist *hist);

/* Returns the range of that histogram, for profile_sum_hist(). */
struct hist profile_unknown(const struct target *target);

/*
 * Returns NULL if the arcs are in the order of first calls: those of the first file, then those
 * that only the second file has, and so on. Else returns the name of the first file in which the
 * order is not known. Linear in files.
 */
const char *profile_out_of_order(const struct profile *prof);

/* Returns the sum of all ticks of histograms and points. Linear in bins. */
uint64_t profile_ticks(const struct profile *prof);

/* Returns the address to which pc is moved; it wraps around at the width of the target's pointers.
 */
typedef uint64_t profile_move(uint64_t pc, const void *arg);

/*
 * Returns the profile with every address moved. Its arrays live in mem; bins and files are shared
 * with prof. Histograms are moved as a whole, by their start, except the one of unknown addresses.
 * In stacks, and in arcs and ticks of modules, only addresses in the program are moved. If
 * different addresses are moved to one, records repeat. Linear in ranges, arcs, blocks, nodes and
 * bins.
 */
struct profile profile_map(const struct profile *prof, profile_move *move, const void *arg,
			   struct arena *mem);

#endif
