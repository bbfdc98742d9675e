/* SPDX-License-Identifier: MIT */
/* Calls between all modules, and ticks outside the program. See arcs.h. */
#include "write/arcs.h"

#include <gmon_ext.h>

#include "record/modules.h"
#include "state.h"
#include "write/file.h"

enum { ARCS_SPARE = 1024 /* room for pairs that are added while pairs are read */ };

_Static_assert(sizeof(struct gmon_ext_arc) == 40, "the same for all pointer widths");
_Static_assert(sizeof(struct gmon_ext_bin) == 24, "the same for all pointer widths");

/* Where a call or a tick was. */
struct arcs_place {
	uint32_t module;   /* number of the module, GMON_EXT_NONE, or MODULES_SEVERAL */
	uintptr_t address; /* link-time address if the module has a number, else run-time address */
};

static struct arcs_place arcs_in(uint32_t module, uintptr_t address)
{
	if (module != GMON_EXT_NONE && module != MODULES_SEVERAL)
		address -= modules_bias(module);
	return (struct arcs_place){ module, address };
}

static struct arcs_place arcs_at(uintptr_t address)
{
	return arcs_in(modules_was_at(address), address);
}

/* Returns the place of the call that returns to `from`. */
static struct arcs_place arcs_caller(uintptr_t from)
{
	if (from <= FROM_ANYWHERE)
		return (struct arcs_place){ GMON_EXT_NONE, 0 };
	return arcs_at(arch_call_site(from));
}

/*
 * Returns the place of ticks from their address and their mark, which somebody may have
 * overwritten.
 */
static struct arcs_place arcs_ticked(uintptr_t address, uintptr_t self)
{
	uint32_t module = (uint32_t)self - CELL_OUTSIDE_IN;

	if (address <= FROM_ANYWHERE)
		return (struct arcs_place){ GMON_EXT_NONE, 0 };
	if (self == CELL_OUTSIDE_TICKS)
		return arcs_at(address);
	if (module >= modules_number() || !modules_covers(module, address))
		return (struct arcs_place){ GMON_EXT_NONE, address };
	return arcs_in(modules_same(module), address);
}

/* A pair that counts calls or ticks. */
struct arcs_pair {
	uintptr_t from, self;
	uint64_t n;
	uintptr_t number; /* see table_number() */
};

/* Calls visit() for each pair in all threads' tables; a pair may be in several. */
static void arcs_each_of_all(void visit(void *, const struct arcs_pair *), void *context)
{
	for (struct table *table = table_first(GMON_LIVE_COUNTS); table;
	     table = table_next(table)) {
		for (size_t i = 0; i < table_ncells(table); i++) {
			struct cell *cell = &table->cell[i];
			const struct arcs_pair pair = {
				.from = table_from(cell),
				.self = __atomic_load_n(&cell->self, __ATOMIC_RELAXED),
				.n = table_count(cell),
				.number = *table_number(table, cell),
			};

			if (pair.from > FROM_CLAIMED && pair.n &&
			    (pair.self > CELL_LAST_MARK || table_is_outside(pair.self)))
				visit(context, &pair);
		}
	}
}

/* Calls visit() for each merged pair, in the order of first calls if that is known. */
static void arcs_each(const struct arcs *arcs, void visit(void *, const struct arcs_pair *),
		      void *context)
{
	for (size_t i = 0; i < table_nplaces(arcs->merged, &arcs->order); i++) {
		const struct cell *cell = table_place(arcs->merged, &arcs->order, i);

		if (cell)
			visit(context,
			      &(struct arcs_pair){ cell->from, cell->self, cell->count, 0 });
	}
}

static void arcs_merge(void *merged, const struct arcs_pair *pair)
{
	table_merge(merged, pair->from, pair->self, pair->n, pair->number);
}

/* Whether a pair counts ticks outside of the program; if not, it counts calls. */
static bool arcs_is_ticks(const struct arcs_pair *pair)
{
	return pair->self <= CELL_LAST_MARK;
}

/* Whether one of the two addresses may belong to several modules, one after the other. */
static bool arcs_is_several(const struct arcs_pair *pair)
{
	if (arcs_is_ticks(pair))
		return arcs_ticked(pair->from, pair->self).module == MODULES_SEVERAL;
	return arcs_caller(pair->from).module == MODULES_SEVERAL ||
	       arcs_at(pair->self).module == MODULES_SEVERAL;
}

static void arcs_count(void *context, const struct arcs_pair *pair)
{
	struct arcs *arcs = context;

	++*(arcs_is_ticks(pair) ? &arcs->nticks : &arcs->ncalls);
	arcs->several |= arcs_is_several(pair);
}

bool arcs_collect(struct arcs *arcs, uint32_t nmodules)
{
	arcs->merged = table_private(ARCS_SPARE + table_used(GMON_LIVE_COUNTS));
	if (!arcs->merged)
		return false;
	arcs_each_of_all(arcs_merge, arcs->merged);
	arcs->order = table_order_make(arcs->merged);
	arcs->elsewhere = wide_load(&gmon.elsewhere);
	arcs->nmodules = nmodules;
	arcs->nticks = arcs->elsewhere > 0;
	arcs_each(arcs, arcs_count, arcs);
	return true;
}

void arcs_free(struct arcs *arcs)
{
	table_free(arcs->merged);
	table_order_free(&arcs->order);
}

/*
 * Returns a module's number in the file; modules that were added after the file was begun are not
 * in it.
 */
static uint32_t arcs_number(const struct arcs *arcs, struct arcs_place *place)
{
	if (place->module == GMON_EXT_NONE)
		return GMON_EXT_NONE;
	if (place->module == MODULES_SEVERAL && arcs->several)
		return arcs->nmodules;
	if (place->module < arcs->nmodules)
		return place->module;
	if (place->module != MODULES_SEVERAL)
		place->address += modules_bias(place->module);
	return GMON_EXT_NONE;
}

struct arcs_put {
	const struct arcs *arcs;
	struct file_writer *file;
	uint32_t ncalls; /* records of calls so far */
};

static void arcs_put_call(void *context, const struct arcs_pair *pair)
{
	struct arcs_put *put = context;
	struct arcs_place caller, callee;
	struct gmon_ext_arc arc = { .calls = pair->n, .thread = GMON_EXT_NONE };

	if (arcs_is_ticks(pair))
		return;
	put->ncalls++;
	arc.first = put->arcs->order.n > 0 ? put->ncalls : 0;
	caller = arcs_caller(pair->from);
	callee = arcs_at(pair->self);
	arc.from_module = arcs_number(put->arcs, &caller);
	arc.self_module = arcs_number(put->arcs, &callee);
	arc.from = caller.address;
	arc.self = callee.address;
	file_put(put->file, &arc, sizeof(arc));
}

void arcs_put_calls(const struct arcs *arcs, struct file_writer *file)
{
	struct arcs_put put = { arcs, file, 0 };

	arcs_each(arcs, arcs_put_call, &put);
}

static void arcs_put_tick(void *context, const struct arcs_pair *pair)
{
	const struct arcs_put *put = context;
	struct gmon_ext_bin bin = { .ticks = pair->n };
	struct arcs_place place;

	if (!arcs_is_ticks(pair))
		return;
	place = arcs_ticked(pair->from, pair->self);
	bin.module = arcs_number(put->arcs, &place);
	bin.address = place.address;
	file_put(put->file, &bin, sizeof(bin));
}

void arcs_put_ticks(const struct arcs *arcs, struct file_writer *file)
{
	const struct gmon_ext_bin elsewhere = { .module = GMON_EXT_NONE, .ticks = arcs->elsewhere };
	struct arcs_put put = { arcs, file, 0 };

	arcs_each(arcs, arcs_put_tick, &put);
	if (arcs->elsewhere)
		file_put(file, &elsewhere, sizeof(elsewhere));
}

static void arcs_lose(void *context, const struct arcs_pair *pair)
{
	struct arcs_lost *lost = context;

	if (arcs_is_several(pair))
		*(arcs_is_ticks(pair) ? &lost->ticks : &lost->calls) += pair->n;
}

struct arcs_lost arcs_count_lost(void)
{
	struct arcs_lost lost = { 0, 0 };

	arcs_each_of_all(arcs_lose, &lost);
	return lost;
}
