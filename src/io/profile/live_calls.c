/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counts of call sites. See live_calls.h. */
#include "config.h"

#include "io/profile/live_calls.h"

#include "base/bitset.h"
#include "base/radix.h"
#include "base/search.h"
#include "gmon_live.h"

#include <stddef.h>

enum { WORD = 8, NUMBER = 4, CELL = GMON_LIVE_CELL_BYTES(WORD) };

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

/* Cells in the making. */
struct live_calls_maker {
	const struct live_calls *calls;
	bool big;
	struct keyed *object; /* those with sites, sorted by the number of the first one */
	size_t nobjects;
	unsigned char *bytes;
	uint32_t *module;
	uint64_t n;
};

static const unsigned char *live_calls_object(const struct live_calls *calls, uint64_t i)
{
	return calls->objects.bytes + i * sizeof(struct gmon_ext_site);
}

static uint64_t live_calls_nsites(const struct live_calls_maker *m, uint64_t object)
{
	return cursor_bytes_uint(live_calls_object(m->calls, object) +
					 offsetof(struct gmon_ext_site, sites),
				 WORD, m->big);
}

static void live_calls_sort_objects(struct live_calls_maker *m, struct arena *mem)
{
	m->object = arena_array(mem, struct keyed, m->calls->objects.n);
	for (uint64_t i = 0; i < m->calls->objects.n; i++) {
		uint64_t first = cursor_bytes_uint(
			live_calls_object(m->calls, i) + offsetof(struct gmon_ext_site, first_site),
			NUMBER, m->big);

		if (live_calls_nsites(m, i) > 0)
			m->object[m->nobjects++] = (struct keyed){ first, (uint32_t)i };
	}
	radix_sort_keyed(m->object, m->nobjects, mem);
}

/* The module of the object that a site is in; RECORDED_NONE: none says so. */
static uint32_t live_calls_module(const struct live_calls_maker *m, uint64_t site)
{
	size_t after = search_above(m->object, m->nobjects, sizeof(*m->object),
				    offsetof(struct keyed, key), site);
	const struct keyed *object = after > 0 ? &m->object[after - 1] : NULL;

	if (!object || site - object->key >= live_calls_nsites(m, object->id))
		return RECORDED_NONE;
	return (uint32_t)cursor_bytes_uint(live_calls_object(m->calls, object->id), NUMBER, m->big);
}

/* What comes after the sites of a block. */
struct live_calls_callees {
	const unsigned char *address, *far;
	uint64_t base, n, nfar;
};

/* None, if there is no room for them. */
static struct live_calls_callees live_calls_callees(const struct live_span *sites, bool big)
{
	const uint64_t at = (sites->n + 1) / 2 * WORD;
	struct live_calls_callees callees = { 0 };
	uint64_t room;

	if (sites->room < at || (sites->room - at) / WORD < 2)
		return callees;
	room = (sites->room - at) / WORD - 2;
	callees.base = cursor_bytes_uint(sites->bytes + at, WORD, big);
	callees.n = cursor_bytes_uint(sites->bytes + at + WORD, WORD, big);
	callees.address = sites->bytes + at + 2 * WORD;
	if (callees.n > room)
		return (struct live_calls_callees){ 0 };
	callees.far = callees.address + callees.n * WORD;
	callees.nfar = (room - callees.n) * (WORD / NUMBER);
	return callees;
}

/* Adds the cells of a block of sites. */
static void live_calls_add(struct live_calls_maker *m, const struct live_span *sites)
{
	const struct live_calls_callees callees = live_calls_callees(sites, m->big);
	uint64_t from = callees.base, far = 0;

	for (uint64_t i = 0; i < sites->n; i++) {
		struct live_calls_site sum = live_calls_of(m->calls, sites->first + i, m->big);
		uint64_t site = cursor_bytes_uint(sites->bytes + i * NUMBER, NUMBER, m->big);
		uint64_t callee = site & ((1U << GMON_LIVE_SITE_AFTER) - 1);
		uint64_t after = site >> GMON_LIVE_SITE_AFTER;
		unsigned char *cell = m->bytes + m->n * CELL;
		uint64_t self;

		if (after == GMON_LIVE_SITE_FAR && far < callees.nfar)
			after = cursor_bytes_uint(callees.far + far++ * NUMBER, NUMBER, m->big);
		from += after;
		if (sum.calls == 0 || callee >= callees.n)
			continue;
		self = cursor_bytes_uint(callees.address + callee * WORD, WORD, m->big);
		if (self & GMON_LIVE_AT_ENTRY)
			continue;
		live_calls_put(cell, from, m->big);
		live_calls_put(cell + WORD, self & ~GMON_LIVE_BY_SLOT, m->big);
		live_calls_put(cell + 2 * WORD, sum.calls, m->big);
		live_calls_put(cell + 3 * WORD, sum.first, m->big);
		m->module[m->n++] = live_calls_module(m, sites->first + i);
	}
}

struct live_span live_calls_cells(const struct live_calls *calls, const struct records *r,
				  struct arena *mem)
{
	struct live_calls_maker m = { .calls = calls, .big = r->in.big_endian };
	uint64_t n = 0;

	for (size_t i = 0; i < calls->sites.n; i++)
		n += calls->sites.at[i].n;
	if (r->target->ptr_size != WORD || n == 0)
		return (struct live_span){ 0 };
	m.bytes = arena_sparse(mem, n, CELL);
	m.module = arena_sparse(mem, n, sizeof(*m.module));
	live_calls_sort_objects(&m, mem);
	for (size_t i = 0; i < calls->sites.n; i++)
		live_calls_add(&m, &calls->sites.at[i]);
	return (struct live_span){ .at = calls->sites.at[0].at,
				   .bytes = m.bytes,
				   .module = m.module,
				   .n = m.n,
				   .room = m.n * CELL };
}

uint64_t live_calls_first(const struct live_span *cells, uint64_t cell, bool big)
{
	return cursor_bytes_uint(cells->bytes + cell * CELL + 3 * WORD, WORD, big);
}

/* An object that was loaded several times, at the same address, is there once. */
static void live_calls_objects(const struct live_calls *calls, const struct ext_source *source,
			       struct recorded *rec, struct arena *mem)
{
	struct arena scratch = arena_scratch(mem);
	struct bitset has = bitset_empty(&scratch, rec->modules.n);

	for (uint64_t i = 0; i < calls->objects.n; i++) {
		struct recorded_site site = { 0 };

		ext_get_site(&site, live_calls_object(calls, i), sizeof(struct gmon_ext_site),
			     source);
		if (site.nfunctions == 0 || site.module >= rec->modules.n ||
		    bitset_has(has, site.module))
			continue;
		bitset_add(has, site.module);
		array_push(mem, &rec->sites) = site;
	}
	arena_free(&scratch);
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
