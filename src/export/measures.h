/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers for exports of plain data, in whole units as exports.h has them. */
#ifndef REPORT_MEASURES_H
#define REPORT_MEASURES_H

#include "base/rounding.h"
#include "export/export.h"

/* What the call graph charges to a node of the analysis for its callees. */
static inline uint64_t measure_children(const struct export_view *e, uint32_t node)
{
	return rounded(e->a->weights.children[node], e->per_tick);
}

/* Own time of a cycle: of its members, as the call graph counts it. */
static inline uint64_t measure_cycle(const struct export_view *e, uint32_t node)
{
	return rounded(e->a->weights.self[node], e->per_tick);
}

/*
 * The sampling error of a symbol's own time: of n samples that fall by chance, the standard
 * deviation is the root of n.
 */
static inline uint64_t measure_error(const struct export_view *e, sym_id s)
{
	double n = e->a->ticks.self[s], root = n < 1.0 ? 1.0 : n;

	/* Newton's way from above: each step at least halves what is too much. */
	for (unsigned i = 0; n > 0.0 && i < 64; i++)
		root = (root + n / root) / 2.0;
	return n > 0.0 ? rounded(root, e->per_tick) : 0;
}

#endif
