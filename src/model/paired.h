/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two programs that were run in turn, in pairs, and what their total costs differ by. */
#ifndef MODEL_PAIRED_H
#define MODEL_PAIRED_H

#include "base/array.h"
#include "model/difference.h"

#include <stdbool.h>
#include <stdint.h>

/* What a run costs in all, in seconds. */
enum paired_cost { PAIRED_ELAPSED, PAIRED_CPU, PAIRED_COSTS };

/* A run of the base and one of the new program, one right after the other. */
struct pair {
	double seconds[SIDES][PAIRED_COSTS];
};

typedef ARRAY(struct pair) pair_array;

/* How a cost of the new program relates to that of the base. */
struct paired_total {
	bool known;            /* each run has some of this cost; if false, nothing else is set */
	double seconds[SIDES]; /* geometric means of the runs */
	double ratio;          /* new / base: the geometric mean of the pairs' ratios */
	bool tested;           /* there are two pairs or more; if false, what follows is not set */
	double low, high;      /* the confidence interval of the ratio */
	double p;              /* p-value, as if no look had been taken before this one */
	double deviation;      /* standard deviation of the logarithms of the pairs' ratios */
	enum difference_verdict verdict;
};

enum paired_ending {
	PAIRED_ALL,         /* as many pairs as were asked for */
	PAIRED_TIME,        /* the time was spent */
	PAIRED_SETTLED,     /* the answer was certain before */
	PAIRED_FULL,        /* there was no memory for more recordings */
	PAIRED_INTERRUPTED, /* the user stopped it */
	PAIRED_FAILED       /* a program crashed, or could not be run again */
};

/* How the outputs of the two programs compare. */
enum paired_answer {
	PAIRED_ANSWER_SAME,
	PAIRED_ANSWER_OTHER,   /* the new program writes something else, or has another status */
	PAIRED_ANSWER_VARIES,  /* the base's own output is not always the same */
	PAIRED_ANSWER_LARGE,   /* there is more than can be compared, which was equal */
	PAIRED_ANSWER_IGNORED, /* not compared, as the user asked for */
};

struct paired {
	const char *name[SIDES]; /* the programs, as the user named them */
	uint32_t npairs;
	const struct pair *pair; /* npairs, in the order in which they ran */
	struct paired_total total[PAIRED_COSTS];
	double level;      /* confidence level of all totals together, in percent */
	double nominal;    /* error probability, from 0 to 1, of each total's interval */
	double detectable; /* the change of the elapsed time, in percent, that would be found in 4
			      of 5 cases; 0: not known */
	double detectable_cpu;  /* the change of CPU time, likewise */
	uint32_t more_pairs;    /* a larger number of pairs */
	double more_detectable; /* the change of elapsed time that these would find, likewise */
	enum paired_ending ending;
	const char *failure; /* what went wrong, if PAIRED_FAILED */
	enum paired_answer answer;
	uint64_t answer_bytes; /* bytes of the base's output */
	uint64_t answer_at;    /* where the outputs differ: byte and line, from 1; 0: not there */
	uint64_t answer_line;
	int status[SIDES]; /* exit statuses */
};

#endif
