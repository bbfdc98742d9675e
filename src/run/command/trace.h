/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What -d shows: what each step of a run found. */
#ifndef RUN_COMMAND_TRACE_H
#define RUN_COMMAND_TRACE_H

#include "base/diag.h"
#include "model/analysis.h"

/* One line a step, as notes. Linear in what was analysed. */
void trace_analysis(const struct analysis *a, struct diag *diag);

#endif
