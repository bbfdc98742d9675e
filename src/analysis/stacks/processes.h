/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Computes which processes of a run used how much time. */
#ifndef ANALYSIS_STACKS_PROCESSES_H
#define ANALYSIS_STACKS_PROCESSES_H

#include "base/arena.h"
#include "model/processes.h"

/* Returns the ticks of one kind for each recorded thread, in mem. Linear in samples. */
uint64_t *processes_ticks(const struct recorded *r, uint32_t kind, struct arena *mem);

/*
 * Adds up the ticks of recorded threads by process, in mem; the result is empty if the recordings
 * have no data on processes. n log n in threads and processes.
 */
struct processes processes_make(const struct recorded *recorded, const uint64_t *of_thread,
				struct arena *mem);

#endif
