/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finds calls that must have been made, but were not recorded.
 *
 * A function without loops reaches each call in its code at most once each time it runs. If such a
 * call was made more often than the function was called, calls of the function are missing.
 *
 * One call may enter several functions, each of which ends in a jump to the next (a tail call): all
 * are recorded with the same caller. The recorded calls of the callees that do not end in a jump
 * show how often the call was made, as each time at most one of them is entered.
 */
#include "config.h"

#include "analysis/diagnosis/lost.h"

#include <stdlib.h>

enum { LEAST_LOST = 2 };

/* Returns the calls of an arc that a call instruction made; 0 if a jump may have made them. */
static uint64_t lost_made(const struct evidence *e, const struct raw_arc *arc)
{
	sym_id to = symtab_find(&e->functions, arc->self_pc);

	return to == SYM_NONE || bitset_has(e->leaves, to) ? 0 : arc->ncalls;
}

static int lost_order_callers(const void *x, const void *y)
{
	const struct raw_arc *a = x, *b = y;

	return (a->from_pc > b->from_pc) - (a->from_pc < b->from_pc);
}

/*
 * Whether the address of a recorded caller may also stand for a call after the end of the function.
 */
static bool lost_reaches_out(const struct diagnosis *s, uint64_t from_pc, const struct sym *sym)
{
	return s->writer != RUNTIME_LIBGMON &&
	       from_pc + 2 * (uint64_t)s->a->profile->target.ptr_size > sym->hi;
}

void lost_calls(struct diagnosis *s)
{
	const struct profile *prof = s->a->profile;
	const struct evidence *e = s->e;
	struct arena scratch = arena_scratch(s->mem);
	const uint64_t *calls = diagnosis_calls(s, &scratch);
	struct raw_arc *arcs = arena_array(&scratch, struct raw_arc, prof->arcs.n);
	uint64_t made = 0, most = 0, most_made = 0;
	sym_id worst = SYM_NONE;

	for (size_t i = 0; i < prof->arcs.n; i++)
		arcs[i] = prof->arcs.at[i];
	qsort(arcs, prof->arcs.n, sizeof(*arcs), lost_order_callers);
	for (size_t i = 0; e->decoded && e->sees_jumps && i < prof->arcs.n; i++) {
		sym_id in = symtab_find(&e->functions, arcs[i].from_pc);
		uint64_t lost, sites = diagnosis_sites(s, arcs[i].from_pc);

		made = i > 0 && arcs[i - 1].from_pc == arcs[i].from_pc ? made : 0;
		made += lost_made(e, &arcs[i]);
		if (in == SYM_NONE || !bitset_has(e->counts, in) || bitset_has(e->loops, in) ||
		    calls[in] == 0 || sites == 0 || made / sites <= calls[in] ||
		    lost_reaches_out(s, arcs[i].from_pc, &e->functions.sym[in]))
			continue;
		lost = made / sites - calls[in];
		if (lost < LEAST_LOST || !diagnosis_is_share(lost, made / sites, 1) || lost <= most)
			continue;
		most = lost;
		most_made = made / sites;
		worst = in;
	}
	if (worst != SYM_NONE) {
		struct finding *f = diagnosis_add(s, FOUND_CALLS_LOST);

		f->name[2] = e->functions.sym[worst].name;
		f->name[3] = s->writer == RUNTIME_LIBGMON ? NULL : "libgmon";
		f->name[4] = s->writer == RUNTIME_LIBGMON ? "moncontrol" : NULL;
		f->number[0] = most_made;
		f->number[1] = calls[worst];
	}
	arena_free(&scratch);
}
