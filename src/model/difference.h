/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What two sides of a comparison, base and new, have of each function, and what differs. */
#ifndef MODEL_DIFFERENCE_H
#define MODEL_DIFFERENCE_H

#include "model/profile.h"
#include "model/symtab.h"

#include <stdbool.h>
#include <stdint.h>

enum difference_side { SIDE_BASE, SIDE_NEW, SIDES };

/* How the functions of both sides were found to be the same. */
enum difference_rule {
	RULE_NONE, /* they were not: the other side has none */
	RULE_NAME,
	RULE_SUFFIX,  /* without what compilers add to names */
	RULE_NUMBER,  /* but for the numbers of lambdas and of types without a name */
	RULE_RENAMED, /* by the user's word */
	RULES
};

/* Rows of functions: those of one row are the same one. */
struct difference_match {
	const uint32_t *row[SIDES]; /* of each symbol of a side */
	uint32_t nrows;
	const unsigned char *rule; /* of each row */
	const sym_id *head[SIDES]; /* the row's symbol with the shortest name; or SYM_NONE */
};

/* Of all runs of a side together. */
struct difference_amount {
	uint64_t samples;
	uint64_t time; /* in the sides' unit, as integer_costs.h has it */
	uint64_t inclusive;
	uint64_t whole; /* samples of `inclusive` */
	uint64_t calls; /* from other functions */
};

enum difference_verdict {
	VERDICT_NOISE = '~', /* cannot be told from chance */
	VERDICT_MORE = '+',
	VERDICT_LESS = '-',
};

/* What is said of a time, in the unit that is shown. */
struct difference_test {
	double delta, margin; /* of new less base; of the interval around it, a half */
	bool tested;
	double p;      /* if tested */
	double strict; /* the same, as marks are made by it: chance.h */
	enum difference_verdict verdict;
};

struct difference_row {
	const char *name;          /* as users read it */
	const char *linker[SIDES]; /* the linker's; NULL where the program has none */
	uint32_t row;              /* of the match, or UINT32_MAX: time in no function */
	enum difference_rule rule;
	bool has[SIDES]; /* there is such a function in the program, or it is none */
	struct difference_amount amount[SIDES];
	double value[SIDES]; /* of a run, in the unit that is shown: time, or share in percent */
	double inclusive[SIDES];
	double calls[SIDES];                /* of a run */
	struct difference_test self, whole; /* of `value`; of `inclusive`, if `measured` */
};

/* Whether anything of it is more than chance. */
static inline bool difference_is_marked(const struct difference_row *row)
{
	return row->self.verdict != VERDICT_NOISE || row->whole.verdict != VERDICT_NOISE;
}

/*
 * How counts of runs vary, in two ways, of which the one with more variance counts: by a multiple
 * of chance, whose variance is the mean; or beyond chance, by a part of the mean, all functions of
 * a run together, as when the machine is busy, or each on its own. Freedom is from how many values
 * it is known.
 */
struct difference_variance {
	double excess;      /* variance by that of chance, from 1 */
	uint32_t freedom;   /* 0: there are none */
	double common, own; /* variances by the square of the mean */
	uint32_t common_freedom;
	double own_freedom; /* as if so many had been as good as the best */
};

struct difference_total {
	const char *program;
	const struct profile *profile;
	uint32_t nruns;
	uint64_t samples, time;
	double value;      /* of a run, in the unit of time */
	double per_tick;   /* the same of a sample */
	double per_sample; /* ticks that tell as much as one sample would: 1 or more */
};

struct difference {
	struct difference_total total[SIDES];
	struct difference_row *row; /* with samples or calls on a side; in the order asked for */
	uint32_t n;
	uint32_t matched[RULES];  /* rows with functions on both sides, by rule; none: 0 */
	uint32_t nnew, ngone;     /* and with functions on one */
	const uint32_t *of_match; /* the place in `row` of each row of the match, or UINT32_MAX */
	const char *unit;         /* "seconds", or what else samples are of */
	double per_unit;          /* units of integer_costs in one of these */
	bool timed;               /* integer_costs are nanoseconds; else samples */
	bool normalized;          /* values are shares of their sides, in percent */
	bool counts_only;         /* a side has no samples: nothing is tested */
	bool measured;            /* times are from call stacks: inclusive ones are known */
	bool other_clocks;        /* a side has ticks of other kinds than CPU time: not compared */
	bool repeated;            /* several runs on both sides, of which: */
	struct difference_variance variance; /* and so much do these vary */
	double level;                        /* in percent */
	double delta, low, high; /* of the totals, in percent of the base; the interval */
	const char *largest;     /* function of the base, or NULL; */
	double detectable;       /* the change of it, in percent, that is marked in 4 of 5 cases */
	bool waited;  /* times are of waiting, by the clock: all that is known of them is what runs
			 differ by */
	bool counted; /* ticks are events that were all counted: the same, but they are compared of
			 single runs, too */
};

/* Whether nothing of the difference is left to chance: events were counted, in a run on a side, so
 * no test is made, and any difference is one of these runs. */
static inline bool difference_is_exact(const struct difference *d)
{
	return d->counted && !d->repeated;
}

#endif
