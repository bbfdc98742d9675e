/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which source line each piece of code comes from. */
#ifndef MODEL_LINETABLE_H
#define MODEL_LINETABLE_H

#include "base/search.h"

#include <stddef.h>
#include <stdint.h>

/*
 * Code from pc up to the next row. The strings are interned: equal ones have one address. file is
 * NULL, and then line 0, where the source is not known; function is NULL where no debug information
 * names it.
 */
struct line_row {
	uint64_t pc;
	const char *file, *function;
	unsigned line;
};

/* Sorted by pc, no two alike in pc. The last row is one of unknown source. */
struct line_table {
	const struct line_row *row;
	size_t nrows;
};

/* The row of the code at pc, or NULL before the first. O(log n). */
static inline const struct line_row *line_table_find(const struct line_table *table, uint64_t pc)
{
	size_t behind = search_above(table->row, table->nrows, sizeof(*table->row),
				     offsetof(struct line_row, pc), pc);

	return behind > 0 ? &table->row[behind - 1] : NULL;
}

#endif
