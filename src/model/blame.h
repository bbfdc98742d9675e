/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Who held others up: what threads waited for locks, by the function that had the lock meanwhile.
 */
#ifndef MODEL_BLAME_H
#define MODEL_BLAME_H

#include "model/program.h"

#include <stdbool.h>
#include <stdint.h>

/* A place in the user's own code; outside of that, the innermost function of a stack. */
struct blame_place {
	sym_id function;      /* SYM_NONE: not known */
	struct location line; /* its file is NULL if it is not known */
};

/* A lock: a variable, or else known by where a thread was first seen waiting for it. */
struct blame_lock {
	const char *name;         /* linker name of the variable, with the offset in it; or NULL */
	struct blame_place first; /* without a name: as are the next two */
	uint32_t n;               /* how many locks there are of which this holds; 0: not known */
	uint64_t address;         /* of the only one, in the process; 0: not known */
};

enum blame_end {
	BLAME_LOCK,    /* the holder has given a lock away */
	BLAME_WOKEN,   /* it has woken those who waited at a condition, semaphore or barrier */
	BLAME_UNWOKEN, /* nobody has done that: there is no holder */
};

/* What waited for a lock of one function, or to be woken by it. */
struct blame_wait {
	struct blame_place waiter; /* the line with most of the ticks */
	struct blame_lock lock;
	enum blame_end end; /* what ends such waits */
	double ticks;
};

/* What a function held up. */
struct blame_row {
	struct blame_place holder;     /* the line with most of the ticks */
	bool unwoken;                  /* there is none: all waits are BLAME_UNWOKEN */
	const struct blame_wait *wait; /* the most first, all different in function or lock */
	uint32_t nwaits;
	double ticks;
};

/* A thread that waits for ever, since the holder of the lock waits for it. */
struct blame_deadlock {
	struct blame_place waiter, holder;
	struct blame_lock lock;
};

struct blame {
	const struct blame_row *row; /* the most first, those without a known holder last */
	uint32_t nrows;
	const struct blame_deadlock *deadlock;
	uint32_t ndeadlocks;
	double total, known; /* ticks of waiting for locks, and of those whose holder is known */
	double woken;        /* ticks of those who waited to be woken, and were */
	double unwoken;      /* ticks of those who waited for that still when the recording ended */
	double rate;         /* ticks per second */
	double rest_s; /* for how many seconds threads waited in futex() beside that: for conditions
			  and others that do not tell who ends it; about 0, or below: none */
};

/* Returns rest_s in whole nanoseconds. */
static inline uint64_t blame_rest_ns(const struct blame *blame)
{
	return blame->rest_s > 0.0 ? (uint64_t)(blame->rest_s * 1e9 + 0.5) : 0;
}

#endif
