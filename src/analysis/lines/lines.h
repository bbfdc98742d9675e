/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From symbols to the source lines that they begin on. */
#ifndef ANALYSIS_LINES_LINES_H
#define ANALYSIS_LINES_LINES_H

#include "base/bitset.h"
#include "model/costs.h"
#include "model/program.h"
#include "model/source.h"

/*
 * The files and lines of the chosen symbols whose location is known, with their calls, in mem.
 * `locations` has one for each symbol. n log n in symbols.
 */
struct source_files lines_count(const struct symtab *symtab, const struct location *locations,
				const struct calls *calls, struct bitset chosen, struct arena *mem);

#endif
