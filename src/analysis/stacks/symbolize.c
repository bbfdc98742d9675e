/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Symbols of the program are found at once; those of modules, when the table of the address space
 * is complete.
 */
#include "config.h"

#include "analysis/stacks/symbolize.h"

#include "analysis/functions/rebase.h"

#include <string.h>

/* Finds the function that calls main(), by the names that C libraries give it. */
static sym_id symbolize_find_start(const struct symtab *symtab)
{
	for (sym_id s = 0; s < symtab->nsyms; s++) {
		const char *name = symtab->sym[s].name;

		if (strcmp(name, "_start") == 0 || strcmp(name, "__start") == 0)
			return s;
	}
	return SYM_NONE;
}

/* Code outside of the program's functions gets SYM_NONE for now. */
static void symbolize_note(struct address_space_maker *m, sym_id *frame)
{
	const struct recorded *r = m->in.recorded;

	for (size_t i = 0; i < r->nodes.n; i++)
		frame[i] = address_space_note(m, r->nodes.at[i].module, r->nodes.at[i].address);
	for (size_t i = 0; i < r->samples.n; i++) {
		enum stack_quality quality = r->samples.at[i].quality;

		m->has[ADDRESS_SPACE_BROKEN] |= quality == STACK_BROKEN;
		m->has[ADDRESS_SPACE_CUT] |= quality == STACK_CUT;
		m->has[ADDRESS_SPACE_UNSEEN] |= quality == STACK_UNSEEN;
	}
}

static void symbolize_find(const struct address_space_maker *m, sym_id *frame)
{
	const struct recorded *r = m->in.recorded;

	for (size_t i = 0; i < r->nodes.n; i++) {
		if (frame[i] == SYM_NONE)
			frame[i] = address_space_find(m, r->nodes.at[i].module,
						      r->nodes.at[i].address);
	}
}

/*
 * Returns the symbols that are left out of stacks: stubs and, if `hidden`, modules without
 * functions.
 */
static struct bitset symbolize_skip(const struct address_space_maker *m, bool hidden,
				    struct arena *mem)
{
	struct bitset skipped = bitset_empty(mem, m->symtab.nsyms);

	if (m->has[ADDRESS_SPACE_STUBS])
		bitset_add(skipped, m->special[ADDRESS_SPACE_STUBS]);
	for (uint32_t i = 0; i < m->in.recorded->modules.n && hidden; i++) {
		if (bitset_has(m->in.used, i) && m->first[i] == m->whole[i])
			bitset_add(skipped, m->whole[i]);
	}
	return skipped;
}

struct symbolized_stacks symbolize_stacks(const struct symbolize_input *input,
					  struct profile *spread, struct arena *mem)
{
	struct arena scratch = arena_scratch(mem);
	const struct recorded *r = input->address_space.recorded;
	bool stacks = input->parts & ADDRESS_SPACE_STACKS;
	sym_id *frame = arena_array(mem, sym_id, stacks ? r->nodes.n : 0);
	struct symbolized_stacks symbolized = { .recorded = r, .frame = frame };
	struct address_space_maker m = address_space_begin(&input->address_space, mem, &scratch);

	if (stacks)
		symbolize_note(&m, frame);
	rebase_note(&m, input->profile, input->parts);
	address_space_end(&m);
	if (stacks)
		symbolize_find(&m, frame);
	*spread = rebase_profile(&m, input->profile, input->parts, mem);
	symbolized.symtab = m.symtab;
	symbolized.address_space = m.address_space;
	symbolized.start = symbolize_find_start(&input->address_space.program->symtab);
	symbolized.broken = m.special[ADDRESS_SPACE_BROKEN];
	symbolized.cut = m.special[ADDRESS_SPACE_CUT];
	symbolized.unseen = m.special[ADDRESS_SPACE_UNSEEN];
	symbolized.skipped = symbolize_skip(&m, input->libraries == SYMBOLIZE_HIDE, mem);
	arena_free(&scratch);
	return symbolized;
}
