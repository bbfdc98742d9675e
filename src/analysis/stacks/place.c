/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Each node's symbol: those of the program at once, others when there is the table. */
#include "config.h"

#include "analysis/stacks/place.h"

#include "analysis/spread.h"

#include <string.h>

/* By the names that C libraries give it. */
static sym_id place_find_start(const struct symtab *symtab)
{
	for (sym_id s = 0; s < symtab->nsyms; s++) {
		const char *name = symtab->sym[s].name;

		if (strcmp(name, "_start") == 0 || strcmp(name, "__start") == 0)
			return s;
	}
	return SYM_NONE;
}

/* What is not in the program's functions is SYM_NONE for now. */
static void place_see(struct space_maker *m, sym_id *frame)
{
	const struct recorded *r = m->in.recorded;

	for (size_t i = 0; i < r->nodes.n; i++)
		frame[i] = space_see(m, r->nodes.at[i].module, r->nodes.at[i].address);
	for (size_t i = 0; i < r->samples.n; i++) {
		enum stack_quality quality = r->samples.at[i].quality;

		m->has[SPACE_BROKEN] |= quality == STACK_BROKEN;
		m->has[SPACE_CUT] |= quality == STACK_CUT;
		m->has[SPACE_UNSEEN] |= quality == STACK_UNSEEN;
	}
}

static void place_find(const struct space_maker *m, sym_id *frame)
{
	const struct recorded *r = m->in.recorded;

	for (size_t i = 0; i < r->nodes.n; i++) {
		if (frame[i] == SYM_NONE)
			frame[i] = space_find(m, r->nodes.at[i].module, r->nodes.at[i].address);
	}
}

/* Stubs; and modules that have no functions of their own, if these are hidden. */
static struct bitset place_skip(const struct space_maker *m, bool hidden, struct arena *mem)
{
	struct bitset skipped = bitset_empty(mem, m->symtab.nsyms);

	if (m->has[SPACE_STUBS])
		bitset_add(skipped, m->special[SPACE_STUBS]);
	for (uint32_t i = 0; i < m->in.recorded->modules.n && hidden; i++) {
		if (bitset_has(m->in.used, i) && m->first[i] == m->whole[i])
			bitset_add(skipped, m->whole[i]);
	}
	return skipped;
}

struct placed_stacks place_stacks(const struct place_input *input, struct profile *spread,
				  struct arena *mem)
{
	struct arena scratch = arena_scratch(mem);
	const struct recorded *r = input->space.recorded;
	bool stacks = input->parts & SPACE_STACKS;
	sym_id *frame = arena_array(mem, sym_id, stacks ? r->nodes.n : 0);
	struct placed_stacks placed = { .recorded = r, .frame = frame };
	struct space_maker m = space_begin(&input->space, mem, &scratch);

	if (stacks)
		place_see(&m, frame);
	spread_see(&m, input->profile, input->parts);
	space_end(&m);
	if (stacks)
		place_find(&m, frame);
	*spread = spread_profile(&m, input->profile, input->parts, mem);
	placed.symtab = m.symtab;
	placed.space = m.space;
	placed.start = place_find_start(&input->space.program->symtab);
	placed.broken = m.special[SPACE_BROKEN];
	placed.cut = m.special[SPACE_CUT];
	placed.unseen = m.special[SPACE_UNSEEN];
	placed.skipped = place_skip(&m, input->libraries == PLACE_HIDE, mem);
	arena_free(&scratch);
	return placed;
}
