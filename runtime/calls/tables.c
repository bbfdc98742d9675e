/* SPDX-License-Identifier: MIT */
/* Tables of distances. See tables.h. */
#include "calls/tables.h"

#include <gmon_ext.h>

#include "calls/grow.h"

enum { TABLES_ENTRIES = 4096 /* of a table that are read */, TABLES_BITS = 64 };

/* How many entries may be read of a table at an address; 0: there is none. */
static size_t tables_entries(const struct code *code, uintptr_t table)
{
	for (size_t i = 0; i < code->ndata && table % sizeof(int32_t) == 0; i++) {
		const struct code_segment *data = &code->data[i];
		const size_t n = (data->high - table) / sizeof(int32_t);

		if (table >= data->low && table < data->high)
			return n < TABLES_ENTRIES ? n : TABLES_ENTRIES;
	}
	return 0;
}

/* Where an entry of a table leads; 0: this is no table, or none any more. */
static uintptr_t tables_entry(const struct code *code, uintptr_t table, size_t i)
{
	const uintptr_t at = table + i * sizeof(int32_t);
	const uintptr_t target = table + (uintptr_t)(intptr_t) * (const volatile int32_t *)at;

	return target - code->low < code->high - code->low ? target : 0;
}

bool tables_note(struct tables *tables, const struct code *code, uintptr_t at,
		 struct code_function *in)
{
	if (!tables_entries(code, at) || !tables_entry(code, at, 0))
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
	const size_t n = tables_entries(code, table->at);

	for (size_t i = 0; i < n; i++) {
		const uintptr_t target = tables_entry(code, table->at, i), bit = target - base;
		const uintptr_t within = target - table->in->low;
		const bool inside = within < table->in->high - table->in->low;

		if (!target)
			return;
		/* No function begins amidst another one, where nearly all entries lead. */
		if (!inside || within == 0)
			code_mark(code, target, GMON_EXT_PARTIAL_TAKEN);
		if (!inside || boundary[bit / TABLES_BITS] >> bit % TABLES_BITS & 1)
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
		const size_t entries = tables_entries(code, tables->table[n].at);

		for (size_t i = 0; i < entries; i++) {
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
