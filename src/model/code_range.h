/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ranges of executable code. */
#ifndef MODEL_CODE_RANGE_H
#define MODEL_CODE_RANGE_H

#include "base/search.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Code at [lo, hi). */
struct code_range {
	uint64_t lo, hi;
	const char *name; /* of the section; NULL if the range is not a section */
};

/*
 * Returns the range that contains pc, or NULL. Linear in ranges: use it for sections, which are
 * few.
 */
static inline const struct code_range *code_range_find(const struct code_range *code, size_t n,
						       uint64_t pc)
{
	for (size_t i = 0; i < n; i++) {
		if (code[i].lo <= pc && pc < code[i].hi)
			return &code[i];
	}
	return NULL;
}

/*
 * Returns the range that contains pc, or NULL. Ranges must be sorted by lo and disjoint. O(log n).
 */
static inline const struct code_range *code_range_search(const struct code_range *code, size_t n,
							 uint64_t pc)
{
	size_t above = search_above(code, n, sizeof(*code), offsetof(struct code_range, lo), pc);

	return above > 0 && pc < code[above - 1].hi ? &code[above - 1] : NULL;
}

#endif
