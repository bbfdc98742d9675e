/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the checks of the diagnosis share: totals, and the findings so far. */
#ifndef ANALYSIS_DIAGNOSIS_SUSPECTS_H
#define ANALYSIS_DIAGNOSIS_SUSPECTS_H

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

/* Totals are those of the data, whatever the user selected. */
struct suspects {
	const struct analysis *a;
	const struct evidence *e;
	const struct diagnosis_options *opt;
	struct arena *mem;
	ARRAY(struct finding) findings;
	enum runtime writer;            /* of the data files, guessed from their form */
	enum runtime runtime;           /* the same, or if that is not known, what is linked */
	uint64_t nticks, outside_ticks; /* in all bins; in those outside of all sections of code */
	uint64_t unknown_ticks;         /* not in nticks: time for which no sample was taken */
	struct quantum quantum;         /* how many ticks are one sample */
	const uint64_t *part_ticks;
	uint64_t narcs, ncalls;       /* of arcs with calls */
	const struct callee *callees; /* sorted by pc, each pc once */
	size_t ncallees;
	struct ticks ticks;          /* of the program's symbols */
	struct ticks function_ticks; /* of the evidence's functions */
	uint64_t lo, hi;             /* the range of all bins */
	uint64_t code_lo, code_hi;   /* the range of all sections of code */
	uint64_t image_lo;           /* the lowest address of the image */
};

/* Fills in all members except the findings, in mem. n log n in arcs, linear in bins and functions.
 */
struct suspects suspects_make(const struct analysis *a, const struct evidence *e,
			      const struct diagnosis_options *opt, struct arena *mem);

/* Adds a finding; the names of data file and program are filled in. */
struct finding *suspects_add(struct suspects *s, enum finding_kind kind);

/* A number of ticks, rounded. */
static inline uint64_t suspects_whole(double ticks)
{
	return ticks <= 0.0 ? 0 : (uint64_t)(ticks + 0.5);
}

/* Whether x is at least `percent` percent of n; false if n is 0. */
static inline bool suspects_is_share(uint64_t x, uint64_t n, unsigned percent)
{
	return n > 0 && (double)x * 100.0 >= (double)n * percent;
}

/*
 * How many call instructions a recorded caller may stand for. libgmon records the last byte of the
 * call; the C library's runtime rounds the return address down to a multiple of two pointers' size,
 * and there may be several calls in between. O(log n).
 */
size_t suspects_sites(const struct suspects *s, uint64_t from_pc);

/* The recorded calls of each of the evidence's functions, in mem. n log n. */
const uint64_t *suspects_calls(const struct suspects *s, struct arena *mem);

#endif
