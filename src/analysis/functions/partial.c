/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functions of which not all calls may have been counted. See partial.h. */
#include "config.h"

#include "analysis/functions/partial.h"

/* The module that is the program, or RECORDED_NONE. */
static uint32_t partial_own(const struct program *program, const struct recorded *recorded)
{
	const struct module *own = recorded_program(recorded);

	if (program->address_space)
		return program->address_space->own;
	return own ? (uint32_t)(own - recorded->modules.at) : RECORDED_NONE;
}

/* Finds the address of a function in the table of symbols. False: its module has no symbols there.
 */
static bool partial_address(const struct program *program, const struct recorded_part *part,
			    uint32_t own, uint64_t *address)
{
	const struct address_space *space = program->address_space;

	*address = part->address;
	if (part->module == own)
		return true;
	if (!space || !bitset_has(space->used, part->module))
		return false;
	*address = space->base + part->module * ADDRESS_SPACE_STRIDE + part->address;
	return true;
}

/* The module of a symbol; RECORDED_NONE: it is in none. */
static uint32_t partial_module(const struct program *program, const struct sym *sym, uint32_t own)
{
	uint32_t module = program->address_space
				  ? address_space_module(program->address_space, sym->lo)
				  : RECORDED_NONE;

	return module == RECORDED_NONE && !(sym->flags & SYM_FOREIGN) ? own : module;
}

static void partial_add_parts(struct bitset partial, const struct analysis *a, uint32_t own)
{
	const struct recorded *recorded = &a->profile->recorded;

	for (size_t i = 0; i < recorded->parts.n; i++) {
		uint64_t address;
		sym_id s = SYM_NONE;

		if (partial_address(a->program, &recorded->parts.at[i], own, &address))
			s = symtab_find(&a->program->symtab, address);
		if (s != SYM_NONE)
			bitset_add(partial, s);
	}
}

struct bitset partial_find(const struct analysis *a, struct arena *mem)
{
	const struct recorded *recorded = &a->profile->recorded;
	const struct symtab *symtab = &a->program->symtab;
	const uint32_t own = partial_own(a->program, recorded);
	struct bitset partial, counted;

	if (recorded->sites.n == 0)
		return (struct bitset){ NULL };
	partial = bitset_empty(mem, analysis_nnodes(a));
	counted = bitset_empty(mem, recorded->modules.n);
	for (size_t i = 0; i < recorded->sites.n; i++)
		bitset_add(counted, recorded->sites.at[i].module);
	partial_add_parts(partial, a, own);
	for (sym_id s = 0; s < symtab->nsyms; s++) {
		uint32_t module = partial_module(a->program, &symtab->sym[s], own);

		if (module != RECORDED_NONE && !bitset_has(counted, module))
			bitset_add(partial, s);
	}
	for (sym_id s = 0; s < symtab->nsyms && a->cycles.ncycles > 0; s++)
		if (bitset_has(partial, s))
			bitset_add(partial, analysis_whole(a, s));
	return partial;
}
