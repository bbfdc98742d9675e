/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The functions on the two sides of a comparison, base and new, and their differences. */
#ifndef MODEL_DIFFERENCE_H
#define MODEL_DIFFERENCE_H

#include "model/profile.h"
#include "model/symtab.h"

#include <stdbool.h>
#include <stdint.h>

enum difference_side { SIDE_BASE, SIDE_NEW, SIDES };

/* By what two functions were matched. */
enum difference_rule {
	RULE_NONE, /* nothing: the other side has no such function */
	RULE_NAME,
	RULE_SUFFIX,  /* the name without what compilers append */
	RULE_NUMBER,  /* the name without the numbers of lambdas and unnamed types */
	RULE_RENAMED, /* the user said so */
	RULES
};

/* Rows of matched functions: all symbols of a row are one function. */
struct difference_match {
	const uint32_t *row[SIDES]; /* of each symbol of a side */
	uint32_t nrows;
	const unsigned char *rule; /* of each row */
	const sym_id *head[SIDES]; /* of each row: the symbol with the shortest name, or SYM_NONE */
};

/* The sums of a function over all runs of a side. */
struct difference_amount {
	uint64_t samples;
	uint64_t time;      /* in the unit of integer_costs.h */
	uint64_t inclusive; /* the same */
	uint64_t whole;     /* samples of `inclusive` */
	uint64_t calls;     /* from other functions */
};

enum difference_verdict {
	VERDICT_NOISE = '~', /* chance may explain the difference */
	VERDICT_MORE = '+',
	VERDICT_LESS = '-',
};

/* The test of one time, in the unit that is shown. */
struct difference_test {
	double delta;  /* new less base */
	double margin; /* half of the interval around it */
	bool tested;
	double p;      /* if tested */
	double strict; /* the p that decides about the mark (CHANCE_STRICT) */
	enum difference_verdict verdict;
};

struct difference_row {
	const char *name;          /* demangled */
	const char *linker[SIDES]; /* the linker's name; NULL where the program lacks it */
	uint32_t row;              /* of the match; UINT32_MAX: time in no function */
	enum difference_rule rule;
	bool has[SIDES]; /* the program has the function; true for time in no function */
	struct difference_amount amount[SIDES];
	double value[SIDES];          /* self time a run, in the unit that is shown, or percent */
	double inclusive[SIDES];      /* the same of inclusive time */
	double calls[SIDES];          /* a run */
	struct difference_test self;  /* of `value` */
	struct difference_test whole; /* of `inclusive`, if `measured` */
};

/* Whether one of the times of a row is marked. */
static inline bool difference_is_marked(const struct difference_row *row)
{
	return row->self.verdict != VERDICT_NOISE || row->whole.verdict != VERDICT_NOISE;
}

/*
 * Two models of how counts vary from run to run; the one with more variance is used. In the first,
 * the variance is a multiple of that of chance, which is the mean. In the second it is that of
 * chance and a part of the squared mean: one part that all functions of a run have in common, as
 * when the machine is busy, and one of each function. Freedom is the degrees of freedom.
 */
struct difference_variance {
	double excess; /* ratio of the variance to that of chance, 1 or more; for counted events 0
			  or more */
	uint32_t freedom;   /* of `excess`; 0: nothing is known */
	double common, own; /* variances relative to the squared mean */
	uint32_t common_freedom;
	double own_freedom; /* effective: rows with small means count less */
};

struct difference_total {
	const char *program;
	const struct profile *profile;
	uint32_t nruns;
	uint64_t samples, time;
	double value;      /* a run, in difference.unit */
	double per_tick;   /* one tick, in difference.unit */
	double per_sample; /* ticks that have the information of one sample: 1 or more */
};

struct difference {
	struct difference_total total[SIDES];
	struct difference_row *row; /* with samples or calls on a side; in the order asked for */
	uint32_t n;
	uint32_t matched[RULES];  /* rows with functions on both sides, by rule; none: 0 */
	uint32_t nnew, ngone;     /* rows with functions on one side */
	const uint32_t *of_match; /* the index in `row` of each row of the match, or UINT32_MAX */
	const char *unit;         /* "seconds", or what else samples count */
	double per_unit;          /* units of integer_costs in one `unit` */
	bool timed;               /* integer_costs are nanoseconds; else samples */
	bool normalized;          /* values are shares of their sides, in percent */
	bool counts_only;         /* a side has no samples: only calls are compared */
	bool measured;            /* times are from call stacks: inclusive ones are known */
	bool other_clocks;        /* a side also has ticks of other kinds, which are not compared */
	bool repeated;            /* both sides have several runs, and `variance` is known */
	struct difference_variance variance;
	double level;            /* in percent */
	double delta, low, high; /* of the totals, in percent of the base, with the interval */
	const char *largest;     /* the largest function of the base, or NULL */
	double detectable;       /* the change of it, in percent, that is marked in 4 of 5 cases */
	bool waited;             /* times are of waiting, by the clock, and not sampled */
	bool counted;            /* ticks are events that were all counted */
};

/* Whether there is no chance in the difference: events were all counted, in single runs. Then no
 * test is made, and any difference is marked. */
static inline bool difference_is_exact(const struct difference *d)
{
	return d->counted && !d->repeated;
}

#endif
