/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What was recorded: addresses and counts, no symbols. */
#ifndef MODEL_PROFILE_H
#define MODEL_PROFILE_H

#include "base/arena.h"
#include "base/array.h"
#include "model/recorded.h"
#include "model/target.h"
#include "model/unit.h"

#include <stdbool.h>
#include <stdint.h>

/* Bins of equal width over [lo, hi). lo <= hi. Bins are counted in units of 2 bytes. */
struct hist {
	uint64_t lo, hi;
	uint32_t nbins;
	uint64_t *ticks;
};

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
	const uint32_t *start; /* those of symbol s: start[s] up to, not with, start[s + 1]; in the
				  order of the data */
	const uint64_t *pc, *count;
};

/*
 * The call stacks of a data file; nrecordings is 0 if it has none. And its calls and ticks of
 * modules; nobjects is 0 if it has none.
 */
struct profile_stacks {
	unsigned version;            /* of the file beside it where they are, or 0 */
	uint32_t nrecordings, nlack; /* of a sum: those with stacks, and those without */
	size_t nmodules, nthreads, nkinds, nnodes, nsamples;
	uint64_t ticks[STACK_QUALITIES]; /* of the first kind */
	uint64_t other_ticks;
	uint32_t nobjects; /* of a sum: as in struct recorded */
	size_t narcs, nbins;
	uint64_t ncalls, bin_ticks;
};

/* Whether there is any of this. */
static inline bool profile_stacks_any(const struct profile_stacks *stacks)
{
	return stacks->nrecordings > 0 || stacks->nobjects > 0;
}

/* One data file as it was found, for the report on files. */
struct profile_file {
	const char *name;
	unsigned version;
	uint64_t nhists, narcs, nblocks;
	bool in_order; /* its arcs stand in the order in which they were first called */
	struct profile_stacks stacks;
	const unsigned char *bytes; /* of the file, or NULL; see keeps_pipes */
	size_t size;
};

/*
 * The sum of the files that were read; hists, arcs and blocks stand in the order of their first
 * appearance. No two hists have the same range. profile_sum makes it from files and other profiles,
 * profile_map() from one with other addresses; besides readers and writers of files, no others
 * need to know all its parts.
 */
struct profile {
	struct target target;
	struct unit unit; /* of the first histogram */
	ARRAY(struct hist) hists;
	ARRAY(struct raw_point)
	points; /* no file has any: analysis/spread.h makes them, of what is
		   outside of the program */
	raw_arc_array arcs;
	ARRAY(struct raw_block) blocks;
	ARRAY(struct profile_file) files;
	struct recorded recorded; /* what only some of the files have */
	bool has_hists, has_arcs; /* records of the kind were seen, even if empty of counts */
	bool has_distinct_arcs;   /* no two with the same ends */
	bool skips_arcs;          /* readers may, as nobody wants any */
	bool keeps_pipes;         /* readers keep the bytes of files if some cannot be read again */
};

/* Two-byte units in one bin: a real number, 0 without bins. The reports' granularity. */
double profile_hist_scale(const struct hist *hist);

/* Where the ticks of no place are: so many bytes before the end of all addresses. */
enum { UNKNOWN_BEFORE = 8 };

/*
 * Whether a histogram has the ticks of time for which no sample was taken, which belongs to no
 * function: see gmon_out.h.
 */
bool profile_is_unknown(const struct profile *prof, const struct hist *hist);

/* The one that has them: a range for profile_sum_hist(). */
struct hist profile_unknown(const struct target *target);

/*
 * NULL if the arcs stand in the order of first calls: those of the first file, then what the second
 * has besides, and so on. Else the name of the first file that does not tell it. Linear in files.
 */
const char *profile_out_of_order(const struct profile *prof);

/* All ticks of all histograms and points. Linear in bins. */
uint64_t profile_ticks(const struct profile *prof);

/* Where pc is moved to; the result wraps around at the width of the target's pointers. */
typedef uint64_t profile_move(uint64_t pc, const void *arg);

/*
 * The profile with every address moved; its arrays live in mem, bins and files are those of prof.
 * A histogram is moved as a whole, by its start, but for that of unknown places; of stacks and of
 * arcs and ticks of modules, what is in the program is moved. Where different addresses are moved
 * to the same one, records repeat. Linear in ranges, arcs, blocks, nodes and bins.
 */
struct profile profile_map(const struct profile *prof, profile_move *move, const void *arg,
			   struct arena *mem);

#endif
