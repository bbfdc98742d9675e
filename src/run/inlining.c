/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "run/inlining.h"

#include "analysis/places.h"
#include "base/radix.h"
#include "base/search.h"

#include <stdlib.h>

/* Adds the addresses of the program on stacks, or those where they end. */
static void inlining_want_stacks(const struct recorded *r, bool ends, place_addresses *pcs,
				 struct arena *mem)
{
	for (size_t i = 0; i < (ends ? r->samples.n : r->nodes.n); i++) {
		uint32_t node = ends ? r->samples.at[i].node : (uint32_t)i, module;

		if (node == RECORDED_NONE)
			continue;
		module = r->nodes.at[node].module;
		if (module != RECORDED_NONE && r->modules.at[module].flags & MODULE_PROGRAM)
			array_push(mem, pcs) = r->nodes.at[node].address;
	}
}

struct line_table inlining_lines(const struct inlining_input *in, bool ends, struct arena *mem)
{
	place_addresses pcs = { 0 };

	if (in->has_stacks)
		inlining_want_stacks(&in->located->recorded, ends, &pcs, mem);
	else
		places_want_bins(in->located, &pcs, mem);
	if (pcs.n > 0)
		qsort(pcs.at, pcs.n, sizeof(*pcs.at), search_order);
	return program_read_places(in->program, in->image, pcs.at, pcs.n, in->progress, mem);
}

const struct line_table *inlining_module_lines(const struct inlining_input *in, struct arena *mem)
{
	const struct recorded *r = &in->located->recorded;
	struct arena scratch = arena_scratch(mem);
	struct line_table *tables = arena_array(mem, struct line_table, r->modules.n);
	struct keyed *order = arena_array(&scratch, struct keyed, r->nodes.n);
	uint64_t *pc = arena_array(&scratch, uint64_t, r->nodes.n);
	size_t n = 0;

	for (uint32_t i = 0; in->code && i < r->nodes.n; i++) {
		uint32_t module = r->nodes.at[i].module;

		if (module != RECORDED_NONE && in->code[module].symtab.nsyms > 0)
			order[n++] = (struct keyed){ r->nodes.at[i].address, i };
	}
	sort_keyed(order, n, &scratch);
	for (size_t i = 0; i < n; i++)
		order[i].key = r->nodes.at[order[i].id].module;
	sort_keyed(order, n, &scratch);
	for (size_t i = 0; i < n; i++)
		pc[i] = r->nodes.at[order[i].id].address;
	for (size_t i = 0, end; i < n; i = end) {
		for (end = i; end < n && order[end].key == order[i].key;)
			end++;
		tables[order[i].key] = libraries_lines(&in->code[order[i].key], pc + i, end - i,
						       in->progress, mem);
	}
	arena_free(&scratch);
	return in->code ? tables : NULL;
}
