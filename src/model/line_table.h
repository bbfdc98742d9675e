/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which source line each piece of code comes from, and which functions were inlined there. */
#ifndef MODEL_LINE_TABLE_H
#define MODEL_LINE_TABLE_H

#include "base/search.h"

#include <stddef.h>
#include <stdint.h>

/*
 * Code from pc to the next row. The strings are interned: equal ones have one address. file is
 * NULL, and then line 0, where the source is not known; function is NULL where no debug information
 * names it.
 */
struct line_row {
	uint64_t pc;
	const char *file, *function;
	unsigned line;
	uint32_t caller; /* of inlined code: index of where it was inlined in line_table.caller;
			    else 0 */
};

/* The call that became inlined code. The strings are as in rows; a file may be NULL. */
struct line_caller {
	const char *file, *function; /* the file and function of the call */
	unsigned line;
	uint32_t caller;      /* if that function was inlined, too: its caller; else 0 */
	const char *declared; /* the source file of what was inlined there, or NULL */
};

/* Sorted by pc, no two alike in pc. The last row is one of unknown source. */
struct line_table {
	const struct line_row *row;
	size_t nrows;
	const struct line_caller *caller; /* from 1; none unless asked for */
};

/* The row of the code at pc, or NULL before the first. O(log n). */
static inline const struct line_row *line_table_find(const struct line_table *table, uint64_t pc)
{
	size_t behind = search_above(table->row, table->nrows, sizeof(*table->row),
				     offsetof(struct line_row, pc), pc);

	return behind > 0 ? &table->row[behind - 1] : NULL;
}

#endif
