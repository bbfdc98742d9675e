/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From samples to the source lines that they fell on. */
#ifndef ANALYSIS_LINES_LINE_TIMES_H
#define ANALYSIS_LINES_LINE_TIMES_H

#include "base/bitset.h"
#include "model/line_times.h"
#include "model/profile.h"
#include "model/program.h"

/*
 * The times of `lined`'s lines, as the flat profile by line has them, in mem: of code in the
 * functions of `credited`, which are symbols of `functions`. `lined` has line symbols; code whose
 * line is not known counts nowhere. Guests are told by the places of functions and lines. n log n
 * in its symbols, linear in bins.
 */
struct line_times line_times_make(const struct profile *prof, const struct program *lined,
				  const struct symtab *functions, struct bitset credited,
				  struct arena *mem);

#endif
