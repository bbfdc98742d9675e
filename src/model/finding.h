/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What --explain finds: what is wrong with a program and its data files, and remarks. */
#ifndef MODEL_FINDING_H
#define MODEL_FINDING_H

#include "model/evidence.h"
#include "model/recorded.h"

#define FINDING(name, severity, key, sentence, advice) FOUND_##name,
enum finding_kind {
#include "model/findings.def"
	NFINDINGS
};
#undef FINDING

/* Whether a report is empty or misleading because of the finding; if not, it is a remark. */
static inline bool finding_is_cause(enum finding_kind kind)
{
	enum { CAUSE = 1, REMARK = 0 };
#define FINDING(name, severity, key, sentence, advice) severity,
	static const unsigned char is_cause[] = {
#include "model/findings.def"
	};
#undef FINDING

	return is_cause[kind];
}

/* Whether the addresses in the data are not the program's. */
static inline bool finding_is_misplacement(enum finding_kind kind)
{
	return kind >= FOUND_SHIFTED && kind <= FOUND_OTHER_UNCOUNTED;
}

enum { FINDING_NAMES = 8, FINDING_NUMBERS = 8 };

/* The names and numbers that the texts in findings.def refer to; a name that is missing is NULL. */
struct finding {
	enum finding_kind kind;
	const char *name[FINDING_NAMES]; /* names of functions are linker names */
	uint64_t number[FINDING_NUMBERS];
};

/* Facts about recorded call stacks. */
struct stack_facts {
	uint32_t nfiles, nlack; /* data files with stacks, and without */
	uint32_t nthreads, nnodes;
	uint32_t depth; /* number of frames of the deepest stack */
	uint64_t nticks, ticks[STACK_QUALITIES];
};

/* Facts about calls and ticks in libraries (GMON=libs). */
struct object_facts {
	uint32_t nfiles, nlack;  /* data files with them, and without */
	uint64_t ncalls, nticks; /* nticks: ticks outside of the program */
	uint64_t unknown_calls,
		unknown_ticks; /* calls and ticks that may belong to any of several libraries */
};

struct findings {
	const struct finding *at; /* in the order of findings.def: causes come first */
	size_t n, ncauses;
	/* Facts: */
	uint64_t nticks;            /* of all bins except those at unknown addresses */
	const uint64_t *part_ticks; /* ticks in each of the evidence's parts */
	uint64_t outside_ticks;     /* ticks in none of the parts */
	uint64_t unknown_ticks;     /* ticks for which no sample was taken; not in nticks */
	uint64_t all_ticks;         /* with these, and with those of libraries that are known */
	uint64_t narcs, ncalls;
	struct stack_facts stacks;
	struct object_facts objects;
	enum runtime writer; /* runtime that wrote the data files, guessed from their form */
};

#endif
