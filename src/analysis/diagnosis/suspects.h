/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files of the diagnosis share: totals, and the findings so far. */
#ifndef ANALYSIS_DIAGNOSIS_SUSPECTS_H
#define ANALYSIS_DIAGNOSIS_SUSPECTS_H

#include "analysis/diagnosis/diagnosis_options.h"
#include "analysis/diagnosis/quantum.h"
#include "analysis/functions/resolve.h"
#include "base/array.h"
#include "model/analysis.h"
#include "model/evidence.h"
#include "model/finding.h"

/* A function that was called, by the address that the data have. */
struct callee {
	uint64_t pc, ncalls;
};

/* What is looked at, whatever the user's specifications. */
struct suspects {
	const struct analysis *a;
	const struct evidence *e;
	const struct diagnosis_options *opt;
	struct arena *mem;
	ARRAY(struct finding) findings;
	enum runtime writer;            /* of the data files, as far as their form tells; */
	enum runtime runtime;           /* or else what is linked */
	uint64_t nticks, outside_ticks; /* of all bins; of those in no section of code */
	uint64_t unknown_ticks;         /* besides: of time for which no sample was taken */
	struct quantum quantum;         /* how many of them are one sample */
	const uint64_t *part_ticks;
	uint64_t narcs, ncalls;       /* without those that count nothing */
	const struct callee *callees; /* by pc, no two alike */
	size_t ncallees;
	struct ticks ticks;          /* of the symbols */
	struct ticks function_ticks; /* of the evidence's functions */
	uint64_t lo, hi;             /* of the bins' ranges, */
	uint64_t code_lo, code_hi;   /* and of all code; */
	uint64_t image_lo;           /* of the image */
};

/* Everything of it but the findings, in mem. n log n in arcs, linear in bins and functions. */
struct suspects suspects_make(const struct analysis *a, const struct evidence *e,
			      const struct diagnosis_options *opt, struct arena *mem);

/* A new finding, with the names of data file and program. */
struct finding *suspects_add(struct suspects *s, enum finding_kind kind);

/* A number of ticks, rounded. */
static inline uint64_t suspects_whole(double ticks)
{
	return ticks <= 0.0 ? 0 : (uint64_t)(ticks + 0.5);
}

/* Whether x is at least so many hundredths of n, which is not 0. */
static inline bool suspects_is_share(uint64_t x, uint64_t n, unsigned percent)
{
	return n > 0 && (double)x * 100.0 >= (double)n * percent;
}

/*
 * How many calls of the code a recorded caller may stand for. libgmon has the last byte of the
 * call; the C library's runtime cuts the address behind it to a multiple of two pointers' size, in
 * which there may be several. O(log n).
 */
size_t suspects_sites(const struct suspects *s, uint64_t from_pc);

/* The recorded calls of each of the evidence's functions, in mem. n log n. */
const uint64_t *suspects_calls(const struct suspects *s, struct arena *mem);

#endif
