/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counts of call sites. See live_calls.h. */
#include "config.h"

#include "io/profile/live_calls.h"

#include "base/sort.h"
#include "gmon_live.h"

#include <stddef.h>

enum { WORD = 8, CELL = GMON_LIVE_CELL_BYTES(WORD) };

_Static_assert(sizeof(struct gmon_live_site) == 2 * WORD, "two words");
_Static_assert(sizeof(struct gmon_live_part) == 2 * WORD, "two words");

/* The calls of a site in all threads. */
static uint64_t live_calls_of(const struct live_calls *calls, uint64_t site, bool big)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < calls->counts.n; i++) {
		const struct live_span *s = &calls->counts.at[i];

		if (site < s->n &&
		    __builtin_add_overflow(
			    sum, cursor_bytes_uint(s->bytes + site * WORD, WORD, big), &sum))
			return UINT64_MAX;
	}
	return sum;
}

static void live_calls_put(unsigned char *to, uint64_t value, bool big)
{
	for (unsigned i = 0; i < WORD; i++)
		to[i] = (unsigned char)(value >> 8 * (big ? WORD - 1 - i : i));
}

struct live_span live_calls_cells(const struct live_calls *calls, const struct records *r,
				  struct arena *mem)
{
	const bool big = r->in.big_endian;
	struct live_span cells = { .at = calls->sites.at };
	unsigned char *bytes;

	if (r->target->ptr_size != WORD || calls->sites.n == 0)
		return (struct live_span){ 0 };
	bytes = arena_sparse(mem, calls->sites.n, CELL);
	for (uint64_t i = 0; i < calls->sites.n; i++) {
		uint64_t n = live_calls_of(calls, i, big);
		unsigned char *cell = bytes + cells.n * CELL;

		if (n == 0)
			continue;
		memcpy(cell, calls->sites.bytes + i * 2 * WORD, (size_t)2 * WORD);
		live_calls_put(cell + 2 * WORD, n, big);
		cells.n++;
	}
	cells.bytes = bytes;
	cells.room = cells.n * CELL;
	return cells;
}

static void live_calls_objects(const struct live_calls *calls, const struct ext_source *source,
			       struct recorded *rec, struct arena *mem)
{
	for (uint64_t i = 0; i < calls->objects.n; i++) {
		struct recorded_site site = { 0 };

		ext_get_site(&site, calls->objects.bytes + i * sizeof(struct gmon_ext_site),
			     sizeof(struct gmon_ext_site), source);
		if (site.module < rec->modules.n)
			array_push(mem, &rec->sites) = site;
	}
}

static int live_calls_order(uint32_t i, uint32_t k, const void *modules)
{
	uint64_t a = ((const struct module *)modules)[i].lo;
	uint64_t b = ((const struct module *)modules)[k].lo;

	return (a > b) - (a < b);
}

/* The module that begins last before an address, and has it; RECORDED_NONE: none. */
static uint32_t live_calls_module(const struct recorded *rec, const uint32_t *order, uint64_t pc)
{
	size_t lo = 0, hi = rec->modules.n;

	while (lo < hi) {
		size_t middle = lo + (hi - lo) / 2;

		if (rec->modules.at[order[middle]].lo <= pc)
			lo = middle + 1;
		else
			hi = middle;
	}
	return lo > 0 && pc < rec->modules.at[order[lo - 1]].hi ? order[lo - 1] : RECORDED_NONE;
}

void live_calls_describe(const struct live_calls *calls, const struct ext_source *source,
			 struct recorded *rec, struct arena *mem)
{
	const bool big = source->big_endian;
	uint32_t *order = arena_array(mem, uint32_t, rec->modules.n);

	for (uint32_t i = 0; i < rec->modules.n; i++)
		order[i] = i;
	sort_ids(order, rec->modules.n, live_calls_order, rec->modules.at, mem);
	live_calls_objects(calls, source, rec, mem);
	for (uint64_t i = 0; i < calls->parts.n; i++) {
		const unsigned char *p = calls->parts.bytes + i * 2 * WORD;
		uint64_t pc = cursor_bytes_uint(p, WORD, big);
		struct recorded_part part = { .module = live_calls_module(rec, order, pc) };

		if (part.module == RECORDED_NONE)
			continue;
		part.address = pc - rec->modules.at[part.module].bias;
		part.reasons = (uint32_t)cursor_bytes_uint(p + WORD, WORD, big);
		array_push(mem, &rec->parts) = part;
	}
}
