/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Resolves samples and arcs to a table that has only the dropped functions. */
#include "config.h"

#include "analysis/functions/dropped.h"

#include "analysis/functions/resolve.h"

static void dropped_add_calls(struct dropped_sums *sums, const struct analysis *a, uint64_t *ncalls)
{
	const struct symtab *dropped = &a->program->dropped;

	for (size_t i = 0; i < a->profile->arcs.n; i++) {
		const struct raw_arc *arc = &a->profile->arcs.at[i];
		sym_id to = symtab_find(dropped, arc->self_pc);
		sym_id of = to;

		if (to == SYM_NONE && !a->program->by_line)
			of = symtab_find(dropped, arc->from_pc);
		if (of == SYM_NONE)
			continue;
		ncalls[of] += arc->ncalls;
		if (__builtin_add_overflow(sums->ncalls, arc->ncalls, &sums->ncalls))
			sums->ncalls = UINT64_MAX;
	}
}

static struct ticks dropped_ticks(const struct analysis *a, struct arena *mem)
{
	const struct symtab *dropped = &a->program->dropped;
	struct selection all = { .flat = bitset_empty(mem, dropped->nsyms) };

	for (sym_id s = 0; s < dropped->nsyms; s++)
		bitset_add(all.flat, s);
	return resolve_ticks(a->profile, dropped, &all, mem);
}

struct dropped_sums dropped_add_up(const struct analysis *a, const struct arena *mem)
{
	const struct symtab *dropped = &a->program->dropped;
	struct dropped_sums sums = { 0 };
	struct arena scratch = arena_scratch(mem);
	uint64_t *ncalls;
	struct ticks ticks;
	sym_id first = SYM_NONE;

	if (dropped->nsyms == 0)
		return sums;
	ncalls = arena_array(&scratch, uint64_t, dropped->nsyms);
	dropped_add_calls(&sums, a, ncalls);
	ticks = dropped_ticks(a, &scratch);
	for (sym_id s = 0; s < dropped->nsyms; s++) {
		double self = a->program->by_line ? 0.0 : ticks.self[s];

		if (self <= 0.0 && ncalls[s] == 0)
			continue;
		sums.nfunctions++;
		sums.ticks += self;
		if (first == SYM_NONE || ticks.self[s] > ticks.self[first] ||
		    (!(ticks.self[s] < ticks.self[first]) && ncalls[s] > ncalls[first]))
			first = s;
	}
	if (first != SYM_NONE)
		sums.first = dropped->sym[first].name;
	arena_free(&scratch);
	return sums;
}
