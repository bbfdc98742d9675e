/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which symbols the views show and credit. */
#ifndef ANALYSIS_SELECT_H
#define ANALYSIS_SELECT_H

#include "model/selection.h"
#include "model/symtab.h"

/* Everything but the profiler's own entry points. The sets live in mem. Linear in symbols. */
struct selection select_symbols(const struct symtab *symtab, struct arena *mem);

#endif
