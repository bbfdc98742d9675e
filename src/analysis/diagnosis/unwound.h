/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Checks how complete call stacks are, and for how much of the time there are stacks. */
#ifndef ANALYSIS_DIAGNOSIS_UNWOUND_H
#define ANALYSIS_DIAGNOSIS_UNWOUND_H

#include "analysis/diagnosis/diagnosis.h"

/*
 * Returns these facts, for --explain. Linear in nodes and samples, log n in symbols for each
 * outermost function.
 */
struct stack_facts unwound_facts(const struct diagnosis *s);

/* Adds a finding if many stacks are broken. Costs the same. */
void unwound_broken(struct diagnosis *s, const struct stack_facts *facts);

/* Adds a finding if many stacks are cut. */
void unwound_cut(struct diagnosis *s, const struct stack_facts *facts);

/* Adds a finding if much of the time of processes has no samples. n log n in threads and processes,
 * linear in samples. */
void unwound_unsampled(struct diagnosis *s);

/*
 * Adds a finding if processes mostly waited, and not for a processor that others had: that it was
 * recorded where, or that it was not. Linear in processes.
 */
void unwound_waiting(struct diagnosis *s);

/* Adds the finding that other threads took the processor often, of a run that has just ended. */
void unwound_loaded(struct diagnosis *s);

/*
 * Whether a finding does not matter if all times are from call stacks, as it is about missing
 * numbers of calls, or about samples outside of the program's own code.
 */
bool unwound_supersedes(enum finding_kind kind);

#endif
