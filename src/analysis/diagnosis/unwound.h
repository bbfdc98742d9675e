/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How much is known of call stacks. */
#ifndef ANALYSIS_DIAGNOSIS_UNWOUND_H
#define ANALYSIS_DIAGNOSIS_UNWOUND_H

#include "analysis/diagnosis/suspects.h"

/* Linear in nodes and samples, log n in symbols for each outermost function. */
struct stack_facts unwound_facts(const struct suspects *s);

/* A finding if many stacks are broken, which are not those of `facts` for nothing. The same. */
void unwound_broken(struct suspects *s, const struct stack_facts *facts);

/* A finding if many are cut. */
void unwound_cut(struct suspects *s, const struct stack_facts *facts);

/* A finding if much of the time of processes had no samples. n log n in threads and processes,
 * linear in samples. */
void unwound_unsampled(struct suspects *s);

/* A remark if processes mostly waited, and what for was not recorded. Linear in processes. */
void unwound_waiting(struct suspects *s);

/* Whether a finding says nothing where all times are from call stacks: it is about what calls do
 * not tell, or about the program's own code having no samples. */
bool unwound_settles(enum finding_kind kind);

#endif
