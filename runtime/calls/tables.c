/* SPDX-License-Identifier: MIT */
/* Tables of distances. See tables.h. */
#include "calls/tables.h"

#include <gmon_ext.h>

#include "calls/grow.h"

enum { TABLES_ENTRIES = 4096 /* of a table that are read */, TABLES_BITS = 64 };

/* Where an entry of a table leads; 0: this is no table, or none any more. */
static uintptr_t tables_entry(const struct code *code, uintptr_t table, size_t i)
{
	const uintptr_t at = table + i * sizeof(int32_t);
	uintptr_t target;

	if (at % sizeof(int32_t) || !code_has_data(code, at, sizeof(int32_t)))
		return 0;
	target = table + (uintptr_t)(intptr_t) * (const volatile int32_t *)at;
	return target - code->low < code->high - code->low ? target : 0;
}

bool tables_note(struct tables *tables, const struct code *code, uintptr_t at,
		 struct code_function *in)
{
	if (!tables_entry(code, at, 0))
		return true;
	if (tables->n == tables->room) {
		void *grown = grow_array(tables->table, &tables->room, sizeof(*tables->table));

		if (!grown)
			return false;
		tables->table = grown;
	}
	tables->table[tables->n++] = (struct tables_one){ at, in };
	return true;
}

/*
 * Where a table ends is not known: entries after the first may be those of the next table, from
 * whose start they count, so that a wrong one says nothing but that this one has ended.
 */
static void tables_read_one(const struct tables_one *table, const struct code *code,
			    const uint64_t *boundary, uintptr_t base)
{
	for (size_t i = 0; i < TABLES_ENTRIES; i++) {
		const uintptr_t target = tables_entry(code, table->at, i), bit = target - base;

		if (!target)
			return;
		code_mark(code, target, GMON_EXT_PARTIAL_TAKEN);
		if (target - table->in->low >= table->in->high - table->in->low ||
		    boundary[bit / TABLES_BITS] >> bit % TABLES_BITS & 1)
			continue;
		if (i == 0)
			table->in->dropped = true;
		return;
	}
}

void tables_read(const struct tables *tables, const struct code *code, const uint64_t *boundary,
		 uintptr_t base)
{
	for (size_t i = 0; i < tables->n; i++)
		tables_read_one(&tables->table[i], code, boundary, base);
}

void tables_land(const struct tables *tables, const struct code *code, const uint64_t *boundary,
		 uint64_t *landing, uintptr_t base)
{
	for (size_t n = 0; n < tables->n; n++) {
		const struct code_function *in = tables->table[n].in;

		for (size_t i = 0; i < TABLES_ENTRIES; i++) {
			uintptr_t target = tables_entry(code, tables->table[n].at, i);
			const uintptr_t bit = target - base;
			const bool inside = target - in->low < in->high - in->low;

			if (!target ||
			    (inside && !(boundary[bit / TABLES_BITS] >> bit % TABLES_BITS & 1)))
				break;
			if (!inside && !in->fragment)
				continue;
			target = bit + (target == in->low);
			landing[target / TABLES_BITS] |= UINT64_C(1) << target % TABLES_BITS;
		}
	}
}

void tables_free(struct tables *tables)
{
	if (tables->room)
		sys_munmap(tables->table, tables->room * sizeof(*tables->table));
	*tables = (struct tables){ 0 };
}
