/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * An inlined function is identified by its name, the file that declares it, and its module. Equal
 * names in a line table have the same pointer. The symbol of an inlined function has an address
 * above all code.
 */
#include "config.h"

#include "analysis/functions/inlined.h"

#include "analysis/functions/address_space.h"
#include "base/array.h"
#include "base/demangle.h"
#include "base/join.h"

#include <string.h>

struct inlined_maker {
	struct line_table lines;
	ARRAY(struct inlined_function) functions;
	struct index index;
	/* NULL: there is no address space above the program */
	const struct address_space *address_space;
	struct arena *mem;
};

/* Adds the functions that were inlined at a row. */
static void inlined_note(struct inlined_maker *m, const struct line_row *row, uint32_t module)
{
	struct line_caller chain[LINE_SLICES_MOST_CALLERS];
	uint32_t n = line_slices_chain(&m->lines, row, chain);

	for (uint32_t i = 0; i + 1 < n; i++) {
		const struct inlined_function wanted = { chain[i].function,
							 m->lines.caller[chain[i].caller].declared,
							 module };

		index_intern(&m->index, &m->functions, &wanted, inlined_key, m->mem);
	}
}

/*
 * Returns the table with the symbols of inlined functions after all others, at addresses from base
 * on.
 */
static struct symtab inlined_end(struct inlined *inlined, const struct inlined_maker *m,
				 const struct symtab *symtab, uint64_t base)
{
	size_t n = m->functions.n;
	struct sym *sym = arena_array(m->mem, struct sym, symtab->nsyms + n);

	if (symtab->nsyms > 0)
		memcpy(sym, symtab->sym, symtab->nsyms * sizeof(*sym));
	for (uint32_t i = 0; i < n; i++) {
		const struct inlined_function *f = &m->functions.at[i];
		bool own = f->module == RECORDED_NONE;

		sym[symtab->nsyms + i] = (struct sym){
			.lo = base + i,
			.hi = base + i + 1,
			.name = own ? JOIN(m->mem, f->name, INLINED_SUFFIX)
				    : JOIN(m->mem, f->name, INLINED_SUFFIX, "@",
					   m->address_space->name[f->module]),
			.flags = SYM_FUNC | SYM_FOREIGN | SYM_INLINED | (own ? 0 : SYM_LIBRARY),
			.place = UINT32_MAX,
		};
	}
	*inlined = (struct inlined){ .lines = m->lines,
				     .function = m->functions.at,
				     .n = (uint32_t)n,
				     .address_space = m->address_space,
				     .first = symtab->nsyms,
				     .index = m->index };
	return (struct symtab){ sym, symtab->nsyms + (uint32_t)n };
}

void inlined_chain(struct inlined_chain *chain, const struct inlined *inlined, sym_id own,
		   uint64_t pc)
{
	chain->n =
		line_slices_chain(&inlined->lines, line_table_find(&inlined->lines, pc), chain->at);
	for (uint32_t i = 0; i + 1 < chain->n; i++)
		chain->symbol[i] =
			inlined_find(inlined, chain->at[i].function,
				     inlined->lines.caller[chain->at[i].caller].declared, pc);
	chain->symbol[chain->n - 1] = own;
}

/* Sets *pc to where a node's code is in the address space; false if it is not in one function. */
static bool inlined_find_code(const struct symbolized_stacks *symbolized, size_t i, uint64_t *pc)
{
	const struct recorded_node *node = &symbolized->recorded->nodes.at[i];
	const struct sym *sym = &symbolized->symtab.sym[symbolized->frame[i]];

	*pc = node->address;
	if (symtab_is_elsewhere(sym))
		*pc = address_space_own_address(node->address) +
		      (sym->lo - address_space_own_address(sym->lo));
	return node->module != RECORDED_NONE && !(sym->flags & SYM_WHOLE);
}

void inlined_want(const struct symbolized_stacks *symbolized, address_list *pcs, struct arena *mem)
{
	uint64_t pc;

	for (size_t i = 0; i < symbolized->recorded->nodes.n; i++) {
		if (inlined_find_code(symbolized, i, &pc))
			array_push(mem, pcs) = pc;
	}
}

/* Whether a node is of the program's own code, and not of a library. */
static bool inlined_is_own(const struct recorded *r, const struct recorded_node *node)
{
	return node->module != RECORDED_NONE && r->modules.at[node->module].flags & MODULE_PROGRAM;
}

void inlined_want_own(const struct recorded *r, address_list *pcs, struct arena *mem)
{
	for (size_t i = 0; i < r->nodes.n; i++) {
		if (inlined_is_own(r, &r->nodes.at[i]))
			array_push(mem, pcs) = r->nodes.at[i].address;
	}
}

/* Replaces each node by nodes for all functions of its chain, the innermost last. */
static void inlined_expand(struct symbolized_stacks *expanded,
			   const struct symbolized_stacks *symbolized,
			   const struct inlined *inlined, struct arena *mem)
{
	const struct recorded *from = symbolized->recorded;
	struct recorded *r = arena_array(mem, struct recorded, 1);
	struct inlined_chain *chain = arena_array(mem, struct inlined_chain, 1);
	uint32_t *last = arena_array(mem, uint32_t, from->nodes.n);
	ARRAY(struct recorded_node) nodes = { 0 };
	ARRAY(sym_id) frames = { 0 };

	for (size_t i = 0; i < from->nodes.n; i++) {
		struct recorded_node node = from->nodes.at[i];
		uint64_t pc;

		if (node.parent != RECORDED_NONE)
			node.parent = last[node.parent];
		chain->n = 1;
		chain->symbol[0] = symbolized->frame[i];
		if (inlined_find_code(symbolized, i, &pc))
			inlined_chain(chain, inlined, symbolized->frame[i], pc);
		while (chain->n-- > 0) {
			array_push(mem, &nodes) = node;
			array_push(mem, &frames) = chain->symbol[chain->n];
			node.parent = (uint32_t)nodes.n - 1;
		}
		last[i] = (uint32_t)nodes.n - 1;
	}
	*r = *from;
	r->nodes.at = nodes.at;
	r->nodes.n = r->nodes.max = nodes.n;
	r->samples.at = arena_array(mem, struct recorded_sample, from->samples.n);
	for (size_t i = 0; i < from->samples.n; i++) {
		r->samples.at[i] = from->samples.at[i];
		if (r->samples.at[i].node != RECORDED_NONE)
			r->samples.at[i].node = last[r->samples.at[i].node];
	}
	r->squares.at = arena_array(mem, struct recorded_square, from->squares.n);
	for (size_t i = 0; i < from->squares.n; i++) {
		r->squares.at[i] = from->squares.at[i];
		if (r->squares.at[i].node != RECORDED_NONE)
			r->squares.at[i].node = last[r->squares.at[i].node];
	}
	expanded->recorded = r;
	expanded->frame = frames.at;
}

struct symbolized_stacks inlined_find_on_stacks(struct inlined *inlined,
						const struct symbolized_stacks *symbolized,
						const struct address_space *space,
						const struct line_table *lines, struct arena *mem)
{
	struct inlined_maker m = { .lines = *lines, .address_space = space, .mem = mem };
	struct symbolized_stacks expanded = *symbolized;
	uint64_t pc;

	for (size_t i = 0; i < symbolized->recorded->nodes.n; i++) {
		if (inlined_find_code(symbolized, i, &pc))
			inlined_note(&m, line_table_find(lines, pc),
				     address_space_module(space, pc));
	}
	expanded.symtab = inlined_end(inlined, &m, &symbolized->symtab,
				      address_space_inlined_base(&symbolized->address_space));
	expanded.skipped = bitset_empty(mem, expanded.symtab.nsyms);
	for (sym_id s = 0; s < symbolized->symtab.nsyms; s++) {
		if (bitset_has(symbolized->skipped, s))
			bitset_add(expanded.skipped, s);
	}
	inlined_expand(&expanded, symbolized, inlined, mem);
	return expanded;
}

static void inlined_note_slice(const struct line_slice *slice, void *arg)
{
	const struct inlined_maker *m = arg;

	inlined_note(arg, slice->row,
		     m->address_space ? address_space_module(m->address_space, slice->pc)
				      : RECORDED_NONE);
}

struct symtab inlined_find_sampled(struct inlined *inlined, const struct profile *prof,
				   const struct program *program, const struct line_table *lines,
				   struct arena *mem)
{
	const struct symtab *symtab = &program->symtab;
	struct inlined_maker m = { .lines = *lines,
				   .address_space = program->address_space,
				   .mem = mem };
	uint64_t end = symtab->nsyms > 0 ? symtab->sym[symtab->nsyms - 1].hi : 0;

	/*
	 * If there is no room above the program's addresses, there are no symbols of inlined
	 * functions.
	 */
	if (end <= UINT64_MAX / 2)
		line_slices_walk(prof, symtab, lines, inlined_note_slice, &m);
	return inlined_end(inlined, &m, symtab,
			   (end / ADDRESS_SPACE_STRIDE + 1) * ADDRESS_SPACE_STRIDE);
}

/* Whether the code of a row belongs to an inlined function. */
static bool inlined_is_inner(const struct line_row *row)
{
	return row && row->caller != 0 && row->function;
}

/* The symbol of the innermost function at a row, or SYM_NONE if it is not inlined. */
static sym_id inlined_innermost(const struct inlined *inlined, const struct line_row *row,
				uint64_t pc)
{
	return inlined_is_inner(row) ? inlined_find(inlined, row->function,
						    inlined->lines.caller[row->caller].declared, pc)
				     : SYM_NONE;
}

/*
 * Ticks by function. `more`: ticks in inlined functions whose symbols the flat profile leaves out.
 */
struct inlined_division {
	const struct inlined *inlined;
	const struct selection *sel;
	double *self;
	double more;
};

static void inlined_give(const struct line_slice *slice, void *arg)
{
	struct inlined_division *d = arg;
	sym_id s = inlined_innermost(d->inlined, slice->row, slice->pc);

	if (s != SYM_NONE && bitset_has(d->sel->flat, s)) {
		d->self[s] += slice->ticks;
		d->more += bitset_has(d->sel->flat, slice->symbol) ? 0.0 : slice->ticks;
	} else if (bitset_has(d->sel->flat, slice->symbol)) {
		d->self[slice->symbol] += slice->ticks;
	}
}

struct ticks inlined_ticks(const struct inlined *inlined, const struct profile *prof,
			   const struct symtab *symtab, const struct selection *sel,
			   const struct ticks *whole, struct arena *mem)
{
	struct inlined_division d = { inlined, sel, arena_array(mem, double, symtab->nsyms), 0.0 };

	line_slices_walk(prof, symtab, &inlined->lines, inlined_give, &d);
	return (struct ticks){ d.self, whole->total + d.more };
}

void inlined_move_arcs(const struct inlined *inlined, const struct profile *prof, struct arc *arcs,
		       size_t n, const uint32_t *raw_of)
{
	for (size_t i = 0; i < n; i++) {
		uint64_t pc = prof->arcs.at[raw_of[i]].from_pc;
		sym_id s = inlined_innermost(inlined, line_table_find(&inlined->lines, pc), pc);

		if (s != SYM_NONE)
			arcs[i].from = s;
	}
}

void inlined_locate(const struct inlined *inlined, struct location *locations)
{
	const struct line_table *lines = &inlined->lines;
	struct line_caller chain[LINE_SLICES_MOST_CALLERS];

	for (size_t i = 0; i < lines->nrows; i++) {
		uint32_t n = line_slices_chain(lines, &lines->row[i], chain);

		for (uint32_t k = 0; k + 1 < n; k++) {
			const char *declared = lines->caller[chain[k].caller].declared;
			sym_id s = inlined_find(inlined, chain[k].function, declared,
						lines->row[i].pc);

			if (s == SYM_NONE || chain[k].file != declared || chain[k].line == 0)
				continue;
			if (!locations[s].file || chain[k].line < locations[s].line)
				locations[s] = (struct location){ declared, chain[k].line };
		}
	}
}

static void inlined_count_slice(const struct line_slice *slice, void *arg)
{
	struct inlined_share *share = arg;

	share->all += slice->ticks;
	share->inlined += inlined_is_inner(slice->row) ? slice->ticks : 0.0;
}

/* The nodes that are of inlined code of the program, or below such a node. */
static struct bitset inlined_nodes(const struct recorded *r, const struct line_table *lines,
				   struct arena *mem)
{
	struct bitset inlined = bitset_empty(mem, r->nodes.n);

	for (size_t i = 0; i < r->nodes.n; i++) {
		const struct recorded_node *node = &r->nodes.at[i];

		if ((node->parent != RECORDED_NONE && bitset_has(inlined, node->parent)) ||
		    (inlined_is_own(r, node) &&
		     inlined_is_inner(line_table_find(lines, node->address))))
			bitset_add(inlined, i);
	}
	return inlined;
}

struct inlined_share inlined_share_of_stacks(const struct recorded *r,
					     const struct line_table *lines,
					     const struct arena *mem)
{
	struct arena scratch = arena_scratch(mem);
	struct bitset inlined = inlined_nodes(r, lines, &scratch);
	struct inlined_share share = { 0.0, 0.0 };

	for (size_t i = 0; i < r->samples.n; i++) {
		const struct recorded_sample *sample = &r->samples.at[i];

		if (sample->kind != 0)
			continue;
		share.all += (double)sample->ticks;
		if (sample->node != RECORDED_NONE && bitset_has(inlined, sample->node))
			share.inlined += (double)sample->ticks;
	}
	arena_free(&scratch);
	return share;
}

struct inlined_share inlined_share_of_bins(const struct profile *prof, const struct symtab *symtab,
					   const struct line_table *lines)
{
	struct inlined_share share = { 0.0, 0.0 };

	line_slices_walk(prof, symtab, lines, inlined_count_slice, &share);
	return share;
}
