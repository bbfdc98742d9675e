/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which of the programs of a run its reports are about: the one with most of the samples. */
#ifndef RUN_SESSION_HEAVIEST_H
#define RUN_SESSION_HEAVIEST_H

#include "base/arena.h"
#include "base/array.h"

#include <stdint.h>

/* The samples of each program. All zero but mem: none yet. */
struct heaviest {
	ARRAY(struct heaviest_sum {
		const char *program;
		uint64_t ticks;
	})
	sums;
	struct arena *mem;
};

/* Adds ticks of the program with that path, a copy of which is kept. Linear in programs. */
void heaviest_add(struct heaviest *h, const char *program, uint64_t ticks);

/* Returns the path of the program with most ticks, the first of equal ones; NULL: none has ticks,
 * or its file is gone. */
const char *heaviest_of(const struct heaviest *h);

#endif
