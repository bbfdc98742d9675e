/* SPDX-License-Identifier: MIT */
/*
 * GMON=libs: the calls between all modules, and the ticks outside of the program, for the profile's
 * extension. A tick has its module (CELL_OUTSIDE_IN); calls have addresses alone, from which the
 * module is found when the profile is written, if it was one only. Async-signal-safe.
 */
#ifndef WRITE_ARCS_H
#define WRITE_ARCS_H

#include <stdbool.h>
#include <stdint.h>

#include "count/table.h"

struct file_writer;

/* Those of all threads. */
struct arcs {
	struct table *merged;     /* in run-time addresses; NULL: no memory, or nobody asked */
	struct table_order order; /* of first calls, if that is known */
	uint64_t elsewhere;       /* ticks that nobody knows the place of */
	uint32_t nmodules;        /* above this, modules are not to be told */
	uint32_t ncalls, nticks;
	bool several; /* there are addresses that several modules had: they are in module nmodules
		       */
};

/*
 * Adds up, behind modules_check(). False: no memory. Counting may go on meanwhile; a pair that is
 * new since can be missing.
 */
bool arcs_collect(struct arcs *arcs, uint32_t nmodules);

/* The memory of what was collected, or was not. */
void arcs_free(struct arcs *arcs);

/* Puts out arcs->ncalls records of calls, or arcs->nticks ones of ticks: see <gmon_ext.h>. */
void arcs_put_calls(const struct arcs *arcs, struct file_writer *file);
void arcs_put_ticks(const struct arcs *arcs, struct file_writer *file);

/* Calls and ticks that several modules may have had, in all tables. As of modules_check(). */
struct arcs_lost {
	uint64_t calls, ticks;
};

struct arcs_lost arcs_count_lost(void);

#endif
