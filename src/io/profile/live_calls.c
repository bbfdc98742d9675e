/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counts of call sites. See live_calls.h. */
#include "config.h"

#include "io/profile/live_calls.h"

#include "gmon_live.h"

#include <stddef.h>

enum { WORD = 8, NUMBER = 4, CELL = GMON_LIVE_CELL_BYTES(WORD) };

_Static_assert(sizeof(struct gmon_live_site) == 2 * WORD, "two words");

/* The calls of a site in all threads, and the first of all. */
struct live_calls_site {
	uint64_t calls, first;
};

static struct live_calls_site live_calls_of(const struct live_calls *calls, uint64_t site, bool big)
{
	struct live_calls_site sum = { 0 };

	for (size_t i = 0; i < calls->counts.n; i++) {
		const struct live_span *s = &calls->counts.at[i];
		uint64_t n, first;

		if (site >= s->n)
			continue;
		n = 0 - cursor_bytes_uint(s->bytes + site * WORD, WORD, big);
		if (n == 0)
			continue;
		if (__builtin_add_overflow(sum.calls, n, &sum.calls))
			sum.calls = UINT64_MAX;
		first = cursor_bytes_uint(s->bytes + s->n * WORD + site * NUMBER, NUMBER, big);
		if (first > 0 && (sum.first == 0 || first < sum.first))
			sum.first = first;
	}
	return sum;
}

static void live_calls_put(unsigned char *to, uint64_t value, bool big)
{
	for (unsigned i = 0; i < WORD; i++)
		to[i] = (unsigned char)(value >> 8 * (big ? WORD - 1 - i : i));
}

/* The module of the object that a site is in; RECORDED_NONE: none says so. */
static uint32_t live_calls_module(const struct live_calls *calls, uint64_t site, bool big)
{
	const size_t record = sizeof(struct gmon_ext_site);

	for (uint64_t i = 0; i < calls->objects.n; i++) {
		const unsigned char *bytes = calls->objects.bytes + i * record;
		uint64_t first = cursor_bytes_uint(bytes + offsetof(struct gmon_ext_site, zero),
						   NUMBER, big);
		uint64_t n =
			cursor_bytes_uint(bytes + offsetof(struct gmon_ext_site, sites), WORD, big);

		if (site - first < n)
			return (uint32_t)cursor_bytes_uint(bytes, NUMBER, big);
	}
	return RECORDED_NONE;
}

/* Adds the cells of a block of sites. */
static void live_calls_add(struct live_span *cells, unsigned char *bytes, uint32_t *module,
			   const struct live_calls *calls, const struct live_span *sites, bool big)
{
	for (uint64_t i = 0; i < sites->n; i++) {
		struct live_calls_site sum = live_calls_of(calls, sites->first + i, big);
		unsigned char *cell = bytes + cells->n * CELL;

		if (sum.calls == 0)
			continue;
		memcpy(cell, sites->bytes + i * 2 * WORD, (size_t)2 * WORD);
		live_calls_put(cell + 2 * WORD, sum.calls, big);
		live_calls_put(cell + 3 * WORD, sum.first, big);
		module[cells->n++] = live_calls_module(calls, sites->first + i, big);
	}
}

struct live_span live_calls_cells(const struct live_calls *calls, const struct records *r,
				  struct arena *mem)
{
	struct live_span cells = { 0 };
	unsigned char *bytes;
	uint32_t *module;
	uint64_t n = 0;

	for (size_t i = 0; i < calls->sites.n; i++)
		n += calls->sites.at[i].n;
	if (r->target->ptr_size != WORD || n == 0)
		return cells;
	cells.at = calls->sites.at[0].at;
	bytes = arena_sparse(mem, n, CELL);
	module = arena_sparse(mem, n, sizeof(*module));
	for (size_t i = 0; i < calls->sites.n; i++)
		live_calls_add(&cells, bytes, module, calls, &calls->sites.at[i], r->in.big_endian);
	cells.bytes = bytes;
	cells.module = module;
	cells.room = cells.n * CELL;
	return cells;
}

uint64_t live_calls_first(const struct live_span *cells, uint64_t cell, bool big)
{
	return cursor_bytes_uint(cells->bytes + cell * CELL + 3 * WORD, WORD, big);
}

/* Whether an object that was loaded several times, at the same address, is there. */
static bool live_calls_has(const struct recorded *rec, uint32_t module)
{
	for (size_t i = 0; i < rec->sites.n; i++)
		if (rec->sites.at[i].module == module)
			return true;
	return false;
}

static void live_calls_objects(const struct live_calls *calls, const struct ext_source *source,
			       struct recorded *rec, struct arena *mem)
{
	for (uint64_t i = 0; i < calls->objects.n; i++) {
		struct recorded_site site = { 0 };

		ext_get_site(&site, calls->objects.bytes + i * sizeof(struct gmon_ext_site),
			     sizeof(struct gmon_ext_site), source);
		if (site.nfunctions > 0 && site.module < rec->modules.n &&
		    !live_calls_has(rec, site.module))
			array_push(mem, &rec->sites) = site;
	}
}

static void live_calls_add_parts(const struct live_span *parts, const struct ext_source *source,
				 struct recorded *rec, struct arena *mem)
{
	for (uint64_t i = 0; i < parts->n; i++) {
		struct recorded_part part = { 0 };
		const struct module *module;

		ext_get_part(&part, parts->bytes + i * sizeof(struct gmon_ext_part),
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
	for (size_t i = 0; i < calls->parts.n; i++)
		live_calls_add_parts(&calls->parts.at[i], source, rec, mem);
}
