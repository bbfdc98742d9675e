/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inclusive times of functions, and times of calls, from a tree of call stacks. */
#ifndef ANALYSIS_STACKS_MEASURE_H
#define ANALYSIS_STACKS_MEASURE_H

#include "model/measured.h"

/*
 * The times of nsyms symbols in a tree whose nodes are symbols. The result lives in mem. Expected
 * linear in nodes and symbols, whatever the depth of recursion.
 */
struct measured measure_stacks(const struct stacks *stacks, uint32_t nsyms, struct arena *mem);

#endif
