/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counts of call sites. See live_calls.h. */
#include "config.h"

#include "io/profile/live_calls.h"

#include "gmon_live.h"

#include <stddef.h>

enum { WORD = 8, CELL = GMON_LIVE_CELL_BYTES(WORD) };

_Static_assert(sizeof(struct gmon_live_site) == 2 * WORD, "two words");

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

static void live_calls_parts(const struct live_calls *calls, const struct ext_source *source,
			     struct recorded *rec, struct arena *mem)
{
	for (uint64_t i = 0; i < calls->parts.n; i++) {
		struct recorded_part part = { 0 };
		const struct module *module;

		ext_get_part(&part, calls->parts.bytes + i * sizeof(struct gmon_ext_part),
			     sizeof(struct gmon_ext_part), source);
		if (part.module >= rec->modules.n)
			continue;
		module = &rec->modules.at[part.module];
		if (part.address - module->lo >= module->hi - module->lo)
			continue;
		part.address -= module->bias;
		array_push(mem, &rec->parts) = part;
	}
}

void live_calls_describe(const struct live_calls *calls, const struct ext_source *source,
			 struct recorded *rec, struct arena *mem)
{
	live_calls_objects(calls, source, rec, mem);
	live_calls_parts(calls, source, rec, mem);
}
