/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Says which function each piece of code belongs to, inlined functions included. */
#ifndef IO_IMAGE_SCOPES_H
#define IO_IMAGE_SCOPES_H

#include "base/array.h"
#include "base/strtable.h"
#include "io/image/line_damage.h"
#include "model/line_table.h"
#include "model/program.h"

#include <elfutils/libdw.h>

/* The code of one subprogram or inlined instance. */
struct scope {
	uint64_t lo, hi;
	const char *name;
	uint32_t place;  /* position in the order of reading */
	uint32_t caller; /* index into callers for an inlined instance, if asked for; else 0; see
			    model/line_table.h */
};

/*
 * An entry of the debug information: the innermost function that it is, or is in, with its caller.
 */
struct scope_level {
	Dwarf_Die die;
	const char *name;
	uint32_t caller;
};

/* All zeros is empty. */
struct scopes {
	ARRAY(struct scope) all;
	ARRAY(struct line_caller) callers; /* if there are any, index 0 means no caller */
	ARRAY(struct scope_level)
	above; /* the entries above the current one; kept from unit to unit to reuse the memory */
};

/* The code from pc to the next piece, and its innermost scope; name is NULL outside of all. */
struct scope_piece {
	uint64_t pc;
	const char *name;
	uint32_t caller;
};

struct scope_pieces {
	const struct scope_piece *at;
	size_t n;
};

/* Returns the interned name of a unit's file, or NULL. */
typedef const char *scope_file(void *arg, uint64_t number);

/* Returns the interned name of a file that libdw names. */
typedef const char *scope_path(void *arg, const char *given);

/*
 * What is known of the program: names of code, and the sorted ranges in which the unit's code can
 * be.
 */
struct scope_context {
	const struct symtab *labels;
	const struct code_range *code;
	size_t ncode;
	uint64_t *entries_left; /* counted down for each range; at 0, no more are read */
	scope_file *file;       /* for callers; NULL: callers are not wanted */
	scope_path *path;       /* for callers; NULL: callers are not wanted */
	void *arg;
	struct line_damage *damage; /* gets damage in the unit's entries */
};

/*
 * Adds the scopes of a compilation unit, outer ones before inner ones, in mem. Their name is the
 * linkage name; without one, in languages that mangle names, the label at the start of the code if
 * there is one; else the plain name. Code outside of program->code was discarded by the linker.
 * Linear in the unit's entries.
 */
void scopes_read(struct scopes *scopes, Dwarf_Die *unit, const struct scope_context *program,
		 struct strtable *names, struct arena *mem);

/*
 * Flattens the scopes into disjoint pieces, in mem: where several overlap the smallest counts, of
 * equal ones the last. Sorts them. n log n.
 */
struct scope_pieces scopes_flatten(struct scopes *scopes, struct arena *mem);

#endif
