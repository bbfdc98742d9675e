/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which functions hold which code, inlined ones included. */
#ifndef IO_SCOPES_H
#define IO_SCOPES_H

#include "base/array.h"
#include "base/strtable.h"
#include "io/image/linedamage.h"
#include "model/program.h"

#include <elfutils/libdw.h>

/* Code of one subprogram or inlined instance. */
struct scope {
	uint64_t lo, hi;
	const char *name;
	size_t place; /* among all, as read */
};

/* All zeros is an empty one. */
struct scopes {
	ARRAY(struct scope) all;
	ARRAY(Dwarf_Die) above; /* the way to the entry at hand, kept from unit to unit */
};

/* Code from pc up to the next piece, and the innermost scope of it; name is NULL outside of all. */
struct scope_piece {
	uint64_t pc;
	const char *name;
};

struct scope_pieces {
	const struct scope_piece *at;
	size_t n;
};

/* What there is to know of the program: names of code, and where the unit's code can be, sorted. */
struct scope_context {
	const struct symtab *labels;
	const struct code_range *code;
	size_t ncode;
	uint64_t *entries_left;     /* counted down with each range; at 0, none is read */
	struct line_damage *damage; /* of the unit's entries */
};

/*
 * Adds the scopes of a compilation unit, outer ones first, in mem. They go by their linkage names;
 * without one, a function of a language that changes names goes by the label at its start if there
 * is one, else by its plain name. Those elsewhere were discarded by the linker. Linear in the
 * unit's entries.
 */
void scopes_read(struct scopes *scopes, Dwarf_Die *unit, const struct scope_context *program,
		 struct strtable *names, struct arena *mem);

/*
 * The scopes laid flat in mem: where several overlap the smallest counts, among equally large ones
 * the last. Sorts them. n log n.
 */
struct scope_pieces scopes_flatten(struct scopes *scopes, struct arena *mem);

#endif
