/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finds the module of an address in a program that loaded and unloaded modules.
 *
 * Cells (counts of the live file) have addresses but no modules. The starts and ends of all modules
 * divide the addresses into intervals; within one, the same modules were loaded at some time:
 *
 *   libA            [==========)
 *   libB                   [==========)       in place of libA, after dlclose()
 *   interval   none |  A   |A,B|  B   | none
 *                           which of the two is not known: "[unloaded]"
 */
#include "config.h"

#include "io/profile/live_objects.h"

#include "base/sort.h"
#include "gmon_live.h"

/* An end of a module's range. */
struct live_boundary {
	uint64_t at;
	uint32_t module;
	bool begins;
};

/* An interval: the addresses from `at` up to the next interval. */
struct live_interval {
	uint64_t at;
	uint32_t module; /* the only module there, or RECORDED_NONE */
	bool several;
};

struct live_objects {
	const struct records *r;
	struct recorded *rec;
	struct arena *mem;
	ARRAY(struct live_interval) intervals;
	uint32_t nmodules; /* in the file */
	/* index of the module "[unloaded]"; RECORDED_NONE: it was not needed yet */
	uint32_t several;
};

static int live_objects_order(uint32_t i, uint32_t k, const void *ends)
{
	uint64_t a = ((const struct live_boundary *)ends)[i].at;
	uint64_t b = ((const struct live_boundary *)ends)[k].at;

	return (a > b) - (a < b);
}

static void live_objects_make_intervals(struct live_objects *p)
{
	struct arena scratch = arena_scratch(p->mem);
	size_t n = 2 * p->rec->modules.n;
	struct live_boundary *ends = arena_array(&scratch, struct live_boundary, n);
	uint32_t *order = arena_array(&scratch, uint32_t, n);
	uint64_t there = 0, numbers = 0;

	for (uint32_t i = 0; i < n; i++) {
		const struct module *m = &p->rec->modules.at[i / 2];

		order[i] = i;
		ends[i] = (struct live_boundary){ i % 2 ? m->hi : m->lo, i / 2, i % 2 == 0 };
	}
	sort_ids(order, n, live_objects_order, ends, &scratch);
	for (size_t i = 0; i < n; i++) {
		const struct live_boundary *end = &ends[order[i]];

		there += end->begins ? 1 : UINT64_MAX;
		numbers += end->begins ? end->module : (uint64_t)0 - end->module;
		if (i + 1 < n && ends[order[i + 1]].at == end->at)
			continue;
		array_push(p->mem, &p->intervals) = (struct live_interval){
			end->at, there == 1 ? (uint32_t)numbers : RECORDED_NONE, there > 1
		};
	}
	arena_free(&scratch);
}

static uint32_t live_objects_several(struct live_objects *p)
{
	if (p->several == RECORDED_NONE) {
		p->several = (uint32_t)p->rec->modules.n;
		array_push(p->mem, &p->rec->modules) =
			(struct module){ .path = "[unloaded]",
					 .flags = MODULE_UNLOADED | MODULE_SEVERAL };
	}
	return p->several;
}

/* Returns the module at a run-time address, and turns the address into a link-time address. */
static uint32_t live_objects_find(struct live_objects *p, uint64_t *address)
{
	size_t lo = 0, hi = p->intervals.n;
	const struct live_interval *interval;

	while (lo < hi) {
		size_t middle = lo + (hi - lo) / 2;

		if (p->intervals.at[middle].at <= *address)
			lo = middle + 1;
		else
			hi = middle;
	}
	interval = lo > 0 ? &p->intervals.at[lo - 1] : NULL;
	if (interval && interval->several)
		return live_objects_several(p);
	if (!interval || interval->module == RECORDED_NONE)
		return RECORDED_NONE;
	*address = target_wrap(p->r->target, *address - p->rec->modules.at[interval->module].bias);
	return interval->module;
}

/* The same, where it is probably in a certain module, or RECORDED_NONE: others may have been at the
 * module's addresses. */
static uint32_t live_objects_find_in(struct live_objects *p, uint32_t number, uint64_t *address)
{
	const struct module *m = number < p->nmodules ? &p->rec->modules.at[number] : NULL;

	if (!m || *address - m->lo >= m->hi - m->lo)
		return live_objects_find(p, address);
	*address = target_wrap(p->r->target, *address - m->bias);
	return number;
}

static bool live_objects_add_call(struct live_objects *p, uint64_t from, uint64_t self,
				  uint64_t calls, uint32_t module)
{
	struct recorded_arc arc = {
		.from_module = RECORDED_NONE, .self = self, .calls = calls, .thread = RECORDED_NONE
	};

	if (from > GMON_LIVE_FROM_ANYWHERE) {
		arc.from = (p->r->target->thumb ? from & ~UINT64_C(1) : from) - 1;
		arc.from_module = live_objects_find_in(p, module, &arc.from);
	}
	arc.self_module = live_objects_find_in(p, module, &arc.self);
	array_push(p->mem, &p->rec->arcs) = arc;
	return !__builtin_add_overflow(p->rec->ncalls, calls, &p->rec->ncalls);
}

static bool live_objects_add_ticks(struct live_objects *p, uint64_t address, uint64_t mark,
				   uint64_t ticks)
{
	struct recorded_bin bin = { .module = RECORDED_NONE, .ticks = ticks };
	uint64_t number = mark - GMON_LIVE_OUTSIDE_IN;

	if (address > GMON_LIVE_FROM_ANYWHERE)
		bin.address = address;
	if (bin.address > 0 && mark == GMON_LIVE_OUTSIDE_TICKS) {
		bin.module = live_objects_find(p, &bin.address);
	} else if (bin.address > 0 && number < p->nmodules) {
		const struct module *m = &p->rec->modules.at[number];

		if (address - m->lo < m->hi - m->lo) {
			bin.module = (uint32_t)number;
			bin.address = target_wrap(p->r->target, address - m->bias);
		}
	}
	array_push(p->mem, &p->rec->bins) = bin;
	return !__builtin_add_overflow(p->rec->bin_ticks, ticks, &p->rec->bin_ticks);
}

static bool live_objects_add_cell(struct live_objects *p, const unsigned char *cell,
				  uint32_t module)
{
	unsigned width = p->r->target->ptr_size;
	bool big = p->r->in.big_endian;
	uint64_t from = cursor_bytes_uint(cell, width, big),
		 self = cursor_bytes_uint(cell + width, width, big);
	uint64_t n = cursor_bytes_uint(cell + 2 * width, 8, big);

	if (from <= GMON_LIVE_FROM_CLAIMED || n == 0)
		return true;
	if (self > GMON_LIVE_LAST_MARK)
		return live_objects_add_call(p, from, self, n, module);
	if (self == GMON_LIVE_OUTSIDE_TICKS || self >= GMON_LIVE_OUTSIDE_IN)
		return live_objects_add_ticks(p, from, self, n);
	return true;
}

void live_objects_part(struct recorded *rec, const struct arena *mem)
{
	struct arena scratch = arena_scratch(mem);
	struct live_objects p = { .rec = rec, .mem = &scratch };
	size_t k = 0, n = 0;
	uint32_t *order = arena_array(&scratch, uint32_t, rec->modules.n);
	struct live_boundary *starts = arena_array(&scratch, struct live_boundary, rec->modules.n);

	for (uint32_t i = 0; i < rec->modules.n; i++) {
		starts[i].at = rec->modules.at[i].lo;
		order[i] = i;
	}
	sort_ids(order, rec->modules.n, live_objects_order, starts, &scratch);
	live_objects_make_intervals(&p);
	for (size_t i = 0; i < rec->modules.n; i++) {
		struct module *m = &rec->modules.at[order[i]];

		while (k < p.intervals.n && p.intervals.at[k].at < m->lo)
			k++;
		for (n = k; n < p.intervals.n && p.intervals.at[n].at < m->hi; n++) {
			if (p.intervals.at[n].several)
				m->flags |= MODULE_UNLOADED;
			if (p.intervals.at[n].several)
				break;
		}
	}
	arena_free(&scratch);
}

bool live_objects_add(struct recorded *rec, const live_spans *counts, const struct records *r,
		      struct arena *mem)
{
	struct live_objects p = { .r = r,
				  .rec = rec,
				  .mem = mem,
				  .nmodules = (uint32_t)rec->modules.n,
				  .several = RECORDED_NONE };
	unsigned cell = GMON_LIVE_CELL_BYTES(r->target->ptr_size);
	bool fits = true;

	live_objects_make_intervals(&p);
	for (size_t i = 0; i < counts->n && fits; i++) {
		const struct live_span *s = &counts->at[i];

		for (uint64_t k = 0; k < s->n && fits; k++)
			fits = live_objects_add_cell(&p, s->bytes + k * cell,
						     s->module ? s->module[k] : RECORDED_NONE);
	}
	rec->nobjects = 1;
	return fits && rec->arcs.n < RECORDED_NONE && rec->bins.n < RECORDED_NONE;
}
