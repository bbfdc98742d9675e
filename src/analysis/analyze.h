/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The list of passes. */
#ifndef ANALYSIS_ANALYZE_H
#define ANALYSIS_ANALYZE_H

#include "model/analysis.h"

/* Runs all passes. The result lives in mem and refers to program and prof. */
struct analysis analyze(const struct program *program, const struct profile *prof,
			struct arena *mem);

#endif
