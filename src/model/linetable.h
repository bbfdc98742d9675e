/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which source line each piece of code comes from. */
#ifndef MODEL_LINETABLE_H
#define MODEL_LINETABLE_H

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
	size_t lo = 0, hi = table->nrows;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (table->row[mid].pc <= pc)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo > 0 ? &table->row[lo - 1] : NULL;
}

#endif
