/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The functions on the two sides of a comparison, base and new, and their differences. */
#ifndef MODEL_DIFFERENCE_H
#define MODEL_DIFFERENCE_H

#include "model/profile.h"
#include "model/symtab.h"

#include <stdbool.h>
#include <stdint.h>

enum difference_side { SIDE_BASE, SIDE_NEW, SIDES };

/* How two functions were matched. */
enum difference_rule {
	RULE_NONE, /* not at all: the other side has no such function */
	RULE_NAME,
	RULE_SUFFIX,  /* by the name without what compilers append */
	RULE_NUMBER,  /* by the name without the numbers of lambdas and unnamed types */
	RULE_RENAMED, /* by the user's word */
	RULES
};

/* Rows of matched functions: all symbols of a row are one function. */
struct difference_match {
	const uint32_t *row[SIDES]; /* for each symbol of a side, its row */
	uint32_t nrows;
	const unsigned char *rule; /* for each row, an enum difference_rule */
	const sym_id *head[SIDES]; /* for each row, the symbol with the shortest name; SYM_NONE:
				      none on that side */
};

/* The sums of a function over all runs of a side. */
struct difference_amount {
	uint64_t samples;
	uint64_t time;      /* self time, in the unit of integer_costs.h */
	uint64_t inclusive; /* inclusive time, in the same unit */
	uint64_t whole;     /* samples in the inclusive time */
	uint64_t calls;     /* calls by other functions */
};

enum difference_verdict {
	VERDICT_NOISE = '~', /* chance may explain the difference */
	VERDICT_MORE = '+',
	VERDICT_LESS = '-',
};

/* The test of a difference of times, in the unit that is shown. */
struct difference_test {
	double delta;  /* the new side's time less the base's */
	double margin; /* half the width of the confidence interval of delta */
	bool tested;
	double p;      /* p-value; valid if the difference was tested */
	double strict; /* the p-value that decides about the mark (CHANCE_STRICT) */
	enum difference_verdict verdict;
};

struct difference_row {
	const char *name; /* demangled */
	/* linker names; NULL on a side whose program lacks the function */
	const char *linker[SIDES];
	uint32_t row; /* row of the match; UINT32_MAX: time in no function */
	enum difference_rule rule;
	bool has[SIDES]; /* the program has the function; true for time in no function */
	struct difference_amount amount[SIDES];
	double value[SIDES];     /* self time per run, in the unit that is shown or in percent */
	double inclusive[SIDES]; /* inclusive time per run, in the same unit */
	double calls[SIDES];     /* calls per run */
	struct difference_test self;  /* the test of `value` */
	struct difference_test whole; /* the test of `inclusive`, if inclusive times are measured */
};

/* Whether one of the times of a row is marked. */
static inline bool difference_is_marked(const struct difference_row *row)
{
	return row->self.verdict != VERDICT_NOISE || row->whole.verdict != VERDICT_NOISE;
}

/*
 * Two models of how counts vary from run to run; the one with more variance is used. In the first,
 * the variance is a multiple of the variance by chance, which equals the mean. In the second it is
 * the variance by chance plus a part of the squared mean: a part that all functions of a run have
 * in common, as when the machine is busy, and a part of each function. `freedom` means degrees of
 * freedom.
 */
struct difference_variance {
	double excess;    /* ratio of the variance to the variance by chance: 1 or more; for counted
			     events, and with many_runs, 0 or more */
	uint32_t freedom; /* of `excess`; 0: `excess` is not known */
	double common, own; /* variances divided by the squared mean */
	uint32_t common_freedom;
	double own_freedom; /* effective number: rows with small means count less */
	bool many_runs;     /* each function is tested by its own difference_excess */
};

/* How the samples of one function vary from run to run. */
struct difference_excess {
	double ratio;     /* of the variance to the variance by chance, which equals the mean */
	uint32_t freedom; /* degrees of freedom of `ratio`; 0: it is not known */
};

struct difference_total {
	const char *program;
	const struct profile *profile;
	uint32_t nruns;
	uint64_t samples, time;
	double value;      /* total per run, in difference.unit */
	double per_tick;   /* one tick, in difference.unit */
	double per_sample; /* ticks that have as much information as one sample: 1 or more */
};

struct difference {
	struct difference_total total[SIDES];
	/* rows with samples or calls on a side, in the requested order */
	struct difference_row *row;
	uint32_t n;
	/* for each rule, the number of rows with functions on both sides */
	uint32_t matched[RULES];
	uint32_t nnew, ngone; /* numbers of rows with functions only on the new side, and only on
				 the base */
	const uint32_t *of_match; /* for each row of the match, its index in `row`, or UINT32_MAX */
	const char *unit;         /* "seconds", or the name of what samples count */
	double per_unit;          /* units of integer_costs per `unit` */
	bool timed;               /* integer_costs are nanoseconds; if false, samples */
	bool normalized;          /* values are percentages of their side's total */
	bool counts_only;         /* one side has no samples, so that only calls are compared */
	bool measured;     /* times are from call stacks, so that inclusive times are known */
	bool other_clocks; /* one side also has ticks of other kinds, which are not compared */
	bool repeated;     /* both sides have several runs, and `variance` is known */
	struct difference_variance variance;
	double level;            /* confidence level in percent */
	double delta, low, high; /* difference of the totals in percent of the base, and its
				    confidence interval; no end is below -100 */
	bool counts[SIDES];      /* the side's calls were counted; if not, they are not known */
	double common[SIDES];    /* the part of a side's time, from 0 to 1, in functions that both
				    programs have; 1 without time */
	const char *largest;     /* name of the base's function with the most time, or NULL */
	double detectable; /* the change of that function, in percent, that would be marked in 4 of
			      5 cases */
	bool waited;       /* times are waiting times, measured by a clock and not sampled */
	bool counted;      /* ticks are events that were all counted */
};

/* Whether most of the time of both sides is in functions that the other one lacks. */
static inline bool difference_is_of_strangers(const struct difference *d)
{
	return d->common[SIDE_BASE] < 0.5 && d->common[SIDE_NEW] < 0.5;
}

/*
 * Whether the difference is free of chance, because all events were counted in single runs. Then no
 * test is made, and any difference is marked.
 */
static inline bool difference_is_exact(const struct difference *d)
{
	return d->counted && !d->repeated;
}

#endif
