/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What was recorded: addresses and counts, no symbols. */
#ifndef MODEL_PROFILE_H
#define MODEL_PROFILE_H

#include "base/arena.h"
#include "base/array.h"

#include <stdbool.h>
#include <stdint.h>

/* How the profiled machine writes addresses. */
struct target {
	unsigned ptr_size; /* 4 or 8 bytes */
	bool big_endian;
	bool sign_extend; /* narrow addresses are signed, as on MIPS */
	bool thumb;       /* bit 0 of a return address tells the kind of code, as on ARM */
};

/* What a tick is. rate 0 means that none was recorded; then ticks are shown as such. */
struct unit {
	uint32_t rate;      /* ticks a unit of the dimension */
	char dimension[16]; /* such as "seconds" */
	char abbrev;        /* such as 's' */
};

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

/* Finds arcs by their ends. All-zero is none; else all arcs are in it, and none repeats. */
struct arc_index {
	uint32_t *slot; /* hash of the ends: index into the arcs plus 1, 0 is free */
	size_t nslots;  /* a power of two */
};

/* How often the basic block that begins at pc was executed. Repeats add up. */
struct raw_block {
	uint64_t pc, count;
};

/* One data file as it was found, for the report on files. */
struct profile_file {
	const char *name;
	unsigned version;
	uint64_t nhists, narcs, nblocks;
};

/*
 * Sums of all files read so far; hists, arcs and blocks stand in the order of their first
 * appearance. Arcs of one file alone may repeat; those of several do not.
 */
struct profile {
	struct target target;
	struct unit unit; /* of the first histogram */
	ARRAY(struct hist) hists;
	raw_arc_array arcs;
	ARRAY(struct raw_block) blocks;
	ARRAY(struct profile_file) files;
	bool has_hists, has_arcs; /* records of the kind were seen, even if empty of counts */
	uint32_t *slot;           /* hash of ranges: index into hists plus 1, 0 is free */
	uint32_t nslots;          /* a power of two, or 0 */
	bool ranges_changed;      /* since the last profile_overlap() */
	struct arc_index arc_index;
	size_t nmerged_blocks; /* the first ones, no two with the same address */
};

/* Two-byte units in one bin: a real number, 0 without bins. The reports' granularity. */
double hist_scale(const struct hist *hist);

/* Why a histogram does not fit the ones before it. */
enum hist_conflict { HIST_FITS, HIST_OTHER_SCALE, HIST_OTHER_DIMENSION, HIST_OTHER_ABBREV };

/*
 * The histogram with the range and number of bins of `like`, made and zeroed in mem if it is the
 * first of its kind; the caller adds to its bins. NULL, and *why, if it doesn't fit. The pointer is
 * valid until the next call. Expected constant time.
 */
struct hist *profile_hist(struct profile *prof, const struct hist *like, const struct unit *unit,
			  struct arena *mem, enum hist_conflict *why);

/*
 * Two histograms of different ranges that share addresses, if there are any: then true, with their
 * indices, first < second. n log n in the ranges; nothing if none came since the last check.
 */
bool profile_overlap(struct profile *prof, const struct arena *mem, size_t *first, size_t *second);

/*
 * The profile with `by` taken from every address, as they wrap around; its arrays live in mem, bins
 * are those of prof. No more records can be added to it. Linear.
 */
struct profile profile_moved(const struct profile *prof, uint64_t by, struct arena *mem);

#endif
