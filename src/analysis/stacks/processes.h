/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Who used how much of the time of a run. */
#ifndef ANALYSIS_STACKS_PROCESSES_H
#define ANALYSIS_STACKS_PROCESSES_H

#include "base/arena.h"
#include "model/processes.h"

/* Ticks of a kind of each recorded thread, in mem. Linear in samples. */
uint64_t *processes_ticks(const struct recorded *r, uint32_t kind, struct arena *mem);

/*
 * Adds up the ticks of each recorded thread by processes, in mem; none if the recordings do not
 * tell of these. n log n in threads and processes.
 */
struct processes processes_make(const struct recorded *recorded, const uint64_t *of_thread,
				struct arena *mem);

#endif
