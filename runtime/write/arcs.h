/* SPDX-License-Identifier: MIT */
/*
 * GMON=libs: calls between all modules, and ticks outside the program, for gmon.out.ext. Ticks are
 * recorded with their module (CELL_OUTSIDE_IN). Calls are recorded only with addresses: when the
 * profile is written, an address belongs to the one module that was ever loaded there, or to none
 * if several were. Async-signal-safe.
 */
#ifndef WRITE_ARCS_H
#define WRITE_ARCS_H

#include <stdbool.h>
#include <stdint.h>

#include "count/table.h"

struct file_writer;

/* The calls and ticks of all threads. */
struct arcs {
	struct table *merged;     /* in run-time addresses; NULL: no memory, or not collected */
	struct table_order order; /* the order of first calls, if that is known */
	uint64_t elsewhere;       /* ticks whose address is not recorded */
	uint32_t nmodules; /* modules from this number on were added too late to be in the file */
	uint32_t ncalls, nticks;
	bool several; /* some addresses may belong to several modules; in the file these are in
			 module number nmodules */
};
/*
 * Adds up the tables of all threads; modules_check() must be called before. Returns false if there
 * is no memory. Counting may continue meanwhile; pairs that are added meanwhile may be missing.
 */
bool arcs_collect(struct arcs *arcs, uint32_t nmodules);

/* Frees what was collected, if anything was. */
void arcs_free(struct arcs *arcs);

/* Write arcs->ncalls records of calls and arcs->nticks records of ticks: see <gmon_ext.h>. */
void arcs_put_calls(const struct arcs *arcs, struct file_writer *file);
void arcs_put_ticks(const struct arcs *arcs, struct file_writer *file);

/* How many calls and ticks may belong to several modules, as the last modules_check() has found. */
struct arcs_lost {
	uint64_t calls, ticks;
};

struct arcs_lost arcs_count_lost(void);

#endif
