/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finds functions in the entries (DIEs) of debug information, and which code belongs to each.
 *
 * Scopes are nested: inlined instances lie inside of the function that they are inlined in. To
 * flatten them, a sweep goes through the addresses where scopes begin and keeps the open scopes in
 * a heap, with the smallest on top, which is the innermost:
 *
 *   scopes          [ main ......................... ]
 *                      [ inlined f ......... ]
 *                           [ inlined g ]
 *   pieces          |m |f   |g           |f  |main    |
 */
#include "config.h"

#include "io/image/scopes.h"

#include "base/heap.h"

#include <dwarf.h>
#include <stdbool.h>
#include <stdlib.h>

static const char *scopes_attribute_string(Dwarf_Die *die, unsigned name)
{
	Dwarf_Attribute attribute;

	return dwarf_formstring(dwarf_attr_integrate(die, name, &attribute));
}

/* Whether the language keeps the source's names of functions for the linker. */
static bool scopes_keep_names(int language)
{
	switch (language) {
	case DW_LANG_C89:
	case DW_LANG_C:
	case DW_LANG_C99:
	case DW_LANG_C11:
	case DW_LANG_Cobol74:
	case DW_LANG_Cobol85:
	case DW_LANG_Fortran77:
	case DW_LANG_Pascal83:
	case DW_LANG_PLI:
	case DW_LANG_UPC:
		return true;
	default:
		return false;
	}
}

/* Where names of scopes come from, and where they are interned. */
struct naming {
	const struct scope_context *program;
	struct strtable *names;
	bool labels_count;
};

/* Returns the name of the scope that starts at pc. */
static const char *scopes_name(const struct naming *naming, Dwarf_Die *die, uint64_t pc)
{
	const char *name = scopes_attribute_string(die, DW_AT_linkage_name);

	if (!name)
		name = scopes_attribute_string(die, DW_AT_MIPS_linkage_name);
	if (!name && naming->labels_count && dwarf_tag(die) == DW_TAG_subprogram) {
		sym_id s = symtab_find(naming->program->labels, pc);

		if (s != SYM_NONE && naming->program->labels->sym[s].lo == pc)
			name = naming->program->labels->sym[s].name;
	}
	if (!name)
		name = scopes_attribute_string(die, DW_AT_name);
	return strtable_add(naming->names, name);
}

/* Returns the number in an attribute, or 0. */
static uint64_t scopes_attribute_number(Dwarf_Die *die, unsigned name)
{
	Dwarf_Attribute attribute;
	Dwarf_Word value;

	return dwarf_formudata(dwarf_attr(die, name, &attribute), &value) == 0 ? value : 0;
}

/*
 * Returns the interned name of the file that declares an inlined function, or NULL. The number in
 * the attribute refers to the files of the unit with the declaration, possibly another unit.
 */
static const char *scopes_declared(Dwarf_Die *die, const struct scope_context *program)
{
	Dwarf_Attribute attribute;
	Dwarf_Word number;
	const char *file;

	if (dwarf_formudata(dwarf_attr_integrate(die, DW_AT_decl_file, &attribute), &number) != 0)
		return NULL;
	if (attribute.cu == die->cu)
		return number > 0 ? program->file(program->arg, number) : NULL;
	file = dwarf_decl_file(die);
	return file ? program->path(program->arg, file) : NULL;
}

/* Adds the place where an instance was inlined into `outer`; returns its index. */
static uint32_t scopes_add_caller(struct scopes *scopes, Dwarf_Die *die,
				  const struct scope_context *program,
				  const struct scope_level *outer, struct arena *mem)
{
	uint64_t line = scopes_attribute_number(die, DW_AT_call_line);

	if (scopes->callers.n == 0)
		array_push(mem, &scopes->callers) = (struct line_caller){ .line = 0 };
	array_push(mem, &scopes->callers) = (struct line_caller){
		.file = program->file(program->arg, scopes_attribute_number(die, DW_AT_call_file)),
		.function = outer->name,
		.line = line < UINT32_MAX ? (unsigned)line : 0,
		.caller = outer->caller,
		.declared = scopes_declared(die, program),
	};
	return (uint32_t)scopes->callers.n - 1;
}

/* Adds the scopes of an entry. Returns the innermost function for the entries below it. */
static struct scope_level scopes_add_scope(struct scopes *scopes, Dwarf_Die *die,
					   const struct naming *naming, struct arena *mem)
{
	struct scope_level level = { .die = *die };
	const char *name = NULL;
	Dwarf_Addr base, lo, hi;
	ptrdiff_t at = 0;

	while (*naming->program->entries_left > 0 &&
	       (at = dwarf_ranges(die, at, &base, &lo, &hi)) > 0) {
		--*naming->program->entries_left;
		if (lo >= hi ||
		    !code_range_search(naming->program->code, naming->program->ncode, lo))
			continue;
		if (!name) {
			name = scopes_name(naming, die, lo);
			level.name = name;
			if (name && naming->program->file && scopes->above.n > 0 &&
			    dwarf_tag(die) == DW_TAG_inlined_subroutine)
				level.caller = scopes_add_caller(
					scopes, die, naming->program,
					&scopes->above.at[scopes->above.n - 1], mem);
		}
		if (name)
			array_push(mem, &scopes->all) =
				(struct scope){ lo, hi, name, (uint32_t)scopes->all.n,
						level.caller };
	}
	return level;
}

/*
 * Deeper than any compiler nests functions with code. libdw passes over all entries below an entry
 * again on each level, so unlimited depth would take quadratic time.
 */
enum { MAX_DEPTH = 256 };

/* Whether entries below this one can be functions with code. */
static bool scopes_can_hold_scopes(int tag)
{
	switch (tag) {
	case DW_TAG_subprogram:
	case DW_TAG_inlined_subroutine:
	case DW_TAG_lexical_block:
	case DW_TAG_try_block:
	case DW_TAG_catch_block:
	case DW_TAG_with_stmt:
	case DW_TAG_namespace:
	case DW_TAG_module:
	case DW_TAG_structure_type:
	case DW_TAG_class_type:
	case DW_TAG_union_type:
	case DW_TAG_interface_type:
		return true;
	default:
		return false;
	}
}

/*
 * Moves *die to the next entry of its level. An entry that does not come after `last` would refer
 * back, and lead through the same entries without end, or twice on each level.
 */
static bool scopes_next_sibling(Dwarf_Die *die, const void *last_seen,
				const struct scope_context *program)
{
	Dwarf_Die next;
	int rc = dwarf_siblingof(die, &next);

	if (rc < 0)
		line_damage_add(program->damage, ".debug_info", dwarf_dieoffset(die),
				dwarf_errmsg(-1));
	if (rc != 0)
		return false;
	if ((uintptr_t)next.addr <= (uintptr_t)last_seen) {
		line_damage_add(program->damage, ".debug_info", dwarf_dieoffset(die),
				"an entry that points back");
		return false;
	}
	*die = next;
	return true;
}

/* Whether the entry has entries below it that can be functions with code; *child gets the first. */
static bool scopes_descend(const struct scopes *scopes, Dwarf_Die *die, Dwarf_Die *child,
			   const struct scope_context *program)
{
	size_t depth = scopes->above.n;
	int rc;

	if (depth > 0 && (depth >= MAX_DEPTH || !scopes_can_hold_scopes(dwarf_tag(die))))
		return false;
	rc = dwarf_child(die, child);
	if (rc < 0)
		line_damage_add(program->damage, ".debug_info", dwarf_dieoffset(die),
				dwarf_errmsg(-1));
	return rc == 0;
}

void scopes_read(struct scopes *scopes, Dwarf_Die *unit, const struct scope_context *program,
		 struct strtable *names, struct arena *mem)
{
	const struct naming naming = { program, names, !scopes_keep_names(dwarf_srclang(unit)) };
	Dwarf_Die die = *unit, child;
	bool more = true;

	while (more) {
		const void *last_seen = die.addr;
		int tag = dwarf_tag(&die);
		struct scope_level level = { .die = die };

		if (scopes->above.n > 0) {
			level.name = scopes->above.at[scopes->above.n - 1].name;
			level.caller = scopes->above.at[scopes->above.n - 1].caller;
		}
		if (tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine ||
		    tag == DW_TAG_entry_point)
			level = scopes_add_scope(scopes, &die, &naming, mem);
		if (scopes_descend(scopes, &die, &child, program)) {
			array_push(mem, &scopes->above) = level;
			die = child;
			continue;
		}
		while (scopes->above.n > 0 && !scopes_next_sibling(&die, last_seen, program))
			die = scopes->above.at[--scopes->above.n].die;
		more = scopes->above.n > 0;
	}
}

/* Whether scope a is smaller than scope b, both indices; of equal ones the later counts as smaller.
 */
static bool scopes_is_inner(const void *a, const void *b, const void *all)
{
	const struct scope *x = (const struct scope *)all + *(const size_t *)a;
	const struct scope *y = (const struct scope *)all + *(const size_t *)b;
	uint64_t x_size = x->hi - x->lo, y_size = y->hi - y->lo;

	return x_size != y_size ? x_size < y_size : x->place > y->place;
}

static int scopes_compare_lo(const void *a, const void *b)
{
	const struct scope *x = a, *y = b;

	if (x->lo != y->lo)
		return x->lo < y->lo ? -1 : 1;
	return (x->place > y->place) - (x->place < y->place);
}

struct scope_pieces scopes_flatten(struct scopes *scopes, struct arena *mem)
{
	struct arena scratch = arena_scratch(mem);
	const struct scope *all = scopes->all.at;
	size_t n = scopes->all.n, npieces = 0, next = 0, nopen = 0;
	struct scope_piece *piece = arena_array(mem, struct scope_piece, 2 * n);
	size_t *open =
		arena_array(&scratch, size_t, n); /* heap of open scopes, the innermost on top */

	if (n > 0)
		qsort(scopes->all.at, n, sizeof(*all), scopes_compare_lo);
	while (next < n || nopen > 0) {
		uint64_t pc = nopen > 0 ? all[open[0]].hi : all[next].lo;

		if (next < n && all[next].lo < pc)
			pc = all[next].lo;
		for (; next < n && all[next].lo == pc; next++) {
			open[nopen++] = next;
			heap_push(open, nopen, sizeof(*open), scopes_is_inner, all);
		}
		while (nopen > 0 && all[open[0]].hi <= pc)
			heap_pop(open, nopen--, sizeof(*open), scopes_is_inner, all);
		piece[npieces] = (struct scope_piece){ .pc = pc };
		if (nopen > 0) {
			piece[npieces].name = all[open[0]].name;
			piece[npieces].caller = all[open[0]].caller;
		}
		npieces++;
	}
	arena_free(&scratch);
	return (struct scope_pieces){ piece, npieces };
}
