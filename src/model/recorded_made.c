/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "model/recorded_made.h"

#include "base/radix.h"
#include "base/strtable.h"

#include <limits.h>

bool recorded_made_is_file(const char *name, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if ((unsigned char)name[i] < ' ' || name[i] == 0x7f)
			return false;
	}
	return n > 0 && n < PATH_MAX;
}

/* The new address of each element, for addresses of the modules that have them. */
struct made_moves {
	const struct recorded *rec;
	const uint64_t *place;
};

static uint64_t recorded_made_move(const struct made_moves *p, uint32_t module, uint64_t address)
{
	/* The calls of a damaged file may have any address. */
	return module != RECORDED_NONE && p->rec->modules.at[module].flags & MODULE_MADE &&
			       address < p->rec->made.n
		       ? p->place[address]
		       : address;
}

/* Returns the elements in their order, which is that of their keys. */
static struct keyed *recorded_made_order(const struct recorded *rec, struct arena *scratch)
{
	struct keyed *order = arena_array(scratch, struct keyed, rec->made.n);
	struct strtable names = { .mem = scratch };

	for (uint32_t i = 0; i < rec->made.n; i++) {
		const struct recorded_made *made = &rec->made.at[i];
		uint64_t name = strtable_place(&names, made->name);

		order[i] = (struct keyed){ name << 1 | (made->line == 0), i };
	}
	radix_sort_keyed(order, rec->made.n, scratch);
	return order;
}

static void recorded_made_move_all(struct recorded *rec, const uint64_t *place, struct arena *mem)
{
	const struct made_moves p = { rec, place };

	array_unshare(mem, &rec->nodes);
	for (size_t i = 0; i < rec->nodes.n; i++) {
		struct recorded_node *node = &rec->nodes.at[i];

		node->address = recorded_made_move(&p, node->module, node->address);
	}
	array_unshare(mem, &rec->arcs);
	for (size_t i = 0; i < rec->arcs.n; i++) {
		struct recorded_arc *arc = &rec->arcs.at[i];

		arc->from = recorded_made_move(&p, arc->from_module, arc->from);
		arc->self = recorded_made_move(&p, arc->self_module, arc->self);
	}
	array_unshare(mem, &rec->bins);
	for (size_t i = 0; i < rec->bins.n; i++) {
		struct recorded_bin *bin = &rec->bins.at[i];

		bin->address = recorded_made_move(&p, bin->module, bin->address);
	}
}

void recorded_made_group(struct recorded *rec, struct arena *mem)
{
	struct arena scratch = arena_scratch(mem);
	struct keyed *order = recorded_made_order(rec, &scratch);
	struct recorded_made *made;
	uint64_t *place;
	bool moves = false;

	for (uint32_t i = 0; i < rec->made.n && !moves; i++)
		moves = order[i].id != i;
	if (moves) {
		made = arena_array(mem, struct recorded_made, rec->made.n);
		place = arena_array(&scratch, uint64_t, rec->made.n);
		for (uint32_t i = 0; i < rec->made.n; i++) {
			made[i] = rec->made.at[order[i].id];
			place[order[i].id] = i;
		}
		rec->made.at = made;
		rec->made.max = rec->made.n;
		recorded_made_move_all(rec, place, mem);
	}
	arena_free(&scratch);
}
