/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Groups symbols by the source lines on which they begin. */
#ifndef ANALYSIS_LINES_LINES_H
#define ANALYSIS_LINES_LINES_H

#include "base/bitset.h"
#include "model/costs.h"
#include "model/program.h"
#include "model/source.h"

/*
 * Returns, in mem, the files and lines of the chosen symbols with known locations, with their
 * calls. `locations` has one entry for each symbol. n log n in symbols.
 */
struct source_files lines_count(const struct symtab *symtab, const struct location *locations,
				const struct calls *calls, struct bitset chosen, struct arena *mem);

#endif
