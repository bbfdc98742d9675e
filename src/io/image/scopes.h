/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which functions hold which code, inlined ones included. */
#ifndef IO_IMAGE_SCOPES_H
#define IO_IMAGE_SCOPES_H

#include "base/array.h"
#include "base/strtable.h"
#include "io/image/line_damage.h"
#include "model/linetable.h"
#include "model/program.h"

#include <elfutils/libdw.h>

/* Code of one subprogram or inlined instance. */
struct scope {
	uint64_t lo, hi;
	const char *name;
	uint32_t place;  /* among all, as read */
	uint32_t caller; /* of an inlined instance, if asked for, as in model/linetable.h; else 0 */
};

/* An entry, and the innermost function that it is, or is in, with its caller. */
struct scope_level {
	Dwarf_Die die;
	const char *name;
	uint32_t caller;
};

/* All zeros is an empty one. */
struct scopes {
	ARRAY(struct scope) all;
	ARRAY(struct line_caller) callers; /* once there is one, the first stands for none */
	ARRAY(struct scope_level) above; /* the way to the entry at hand, kept from unit to unit */
};

/* Code from pc up to the next piece, and the innermost scope of it; name is NULL outside of all. */
struct scope_piece {
	uint64_t pc;
	const char *name;
	uint32_t caller;
};

struct scope_pieces {
	const struct scope_piece *at;
	size_t n;
};

/* The interned name of a unit's file, or NULL. */
typedef const char *scope_file(void *arg, uint64_t number);

/* The interned name of a file whose name libdw gives. */
typedef const char *scope_path(void *arg, const char *given);

/* What there is to know of the program: names of code, and where the unit's code can be, sorted. */
struct scope_context {
	const struct symtab *labels;
	const struct code_range *code;
	size_t ncode;
	uint64_t *entries_left; /* counted down with each range; at 0, none is read */
	scope_file *file;       /* for callers, with `arg`; NULL: these are not wanted */
	scope_path *path;       /* the same */
	void *arg;
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
