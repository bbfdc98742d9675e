/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The source line of each piece of code, and the functions that were inlined there. */
#ifndef MODEL_LINE_TABLE_H
#define MODEL_LINE_TABLE_H

#include "base/array.h"
#include "base/search.h"

#include <stddef.h>
#include <stdint.h>

/*
 * Code from pc to the next row. Strings are interned: equal ones have the same address. If the
 * source is not known, file is NULL and line is 0; inlined code has a function and a caller even
 * then. Else function is NULL if debug information does not name it.
 */
struct line_row {
	uint64_t pc;
	const char *file, *function;
	unsigned line;
	uint32_t caller; /* for inlined code, the index in line_table.caller of the call that was
			    inlined; else 0 */
};

/* A call that was inlined. Strings are as in rows; a file may be NULL. */
struct line_caller {
	const char *file, *function; /* the file and function of the call */
	unsigned line;
	uint32_t caller; /* if that function was inlined, too: the index of its own call; else 0 */
	const char *declared; /* the source file of the function that was inlined there, or NULL */
};

/* Sorted by pc; all pc differ. The last row has an unknown source. */
struct line_table {
	const struct line_row *row;
	size_t nrows;
	const struct line_caller *caller; /* from index 1 on; empty unless callers were asked for */
};

/* Addresses of code whose rows are wanted. */
typedef ARRAY(uint64_t) address_list;

/* Returns the row of the code at pc; NULL before the first row. O(log n). */
static inline const struct line_row *line_table_find(const struct line_table *table, uint64_t pc)
{
	size_t after = search_above(table->row, table->nrows, sizeof(*table->row),
				    offsetof(struct line_row, pc), pc);

	return after > 0 ? &table->row[after - 1] : NULL;
}

#endif
