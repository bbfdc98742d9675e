/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Data that the checks of the diagnosis share: totals, and the findings so far. */
#ifndef ANALYSIS_DIAGNOSIS_DIAGNOSIS_H
#define ANALYSIS_DIAGNOSIS_DIAGNOSIS_H

#include "analysis/diagnosis/diagnosis_options.h"
#include "analysis/diagnosis/quantum.h"
#include "analysis/functions/resolve.h"
#include "base/array.h"
#include "model/analysis.h"
#include "model/evidence.h"
#include "model/finding.h"

/* An address that was recorded as called. */
struct callee {
	uint64_t pc, ncalls;
};

/* The totals include all data, whatever the user selected. */
struct diagnosis {
	const struct analysis *a;
	const struct evidence *e;
	const struct diagnosis_options *opt;
	struct arena *mem;
	ARRAY(struct finding) findings;
	enum runtime writer;  /* runtime that wrote the data files, guessed from their form */
	enum runtime runtime; /* `writer` or, if the form does not show it, the runtime that is
				 linked into the program */
	uint64_t nticks,
		outside_ticks;  /* ticks in all bins, and in bins outside of all sections of code */
	uint64_t unknown_ticks; /* ticks for which no sample was taken; not in nticks */
	struct quantum quantum; /* how many ticks one sample stands for */
	const uint64_t *part_ticks;
	uint64_t narcs, ncalls;       /* number of arcs with calls, and their calls */
	const struct callee *callees; /* sorted by pc, each pc once */
	size_t ncallees;
	struct ticks ticks;          /* by the program's symbols */
	struct ticks function_ticks; /* by the evidence's functions */
	uint64_t lo, hi;             /* the range of all bins */
	uint64_t code_lo, code_hi;   /* the range that contains all sections of code */
	uint64_t image_lo;           /* the lowest address of the image */
	uint64_t image_hi;           /* the end of what of it can be executed, at least code_hi */
};

/* Fills in all members except the findings, in mem. n log n in arcs, linear in bins and functions.
 */
struct diagnosis diagnosis_make(const struct analysis *a, const struct evidence *e,
				const struct diagnosis_options *opt, struct arena *mem);

/* Adds a finding with the names of data file and program, and returns it. */
struct finding *diagnosis_add(struct diagnosis *s, enum finding_kind kind);

/* Rounds a number of ticks. */
static inline uint64_t diagnosis_whole(double ticks)
{
	return ticks <= 0.0 ? 0 : (uint64_t)(ticks + 0.5);
}

/* Whether x is at least `percent` percent of n; false if n is 0. */
static inline bool diagnosis_is_share(uint64_t x, uint64_t n, unsigned percent)
{
	return n > 0 && (double)x * 100.0 >= (double)n * percent;
}

/*
 * Returns how many call instructions a recorded caller may stand for. libgmon records the last byte
 * of the call, so one; the C library's runtime rounds the return address down to a multiple of
 * twice the size of a pointer, and several calls may end in between. O(log n).
 */
size_t diagnosis_sites(const struct diagnosis *s, uint64_t from_pc);

/* Returns, in mem, the recorded calls of each of the evidence's functions. n log n. */
const uint64_t *diagnosis_calls(const struct diagnosis *s, struct arena *mem);

#endif
