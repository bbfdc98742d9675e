/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Symbol specifications: how a command line names functions, files, lines and calls. */
#ifndef ANALYSIS_FUNCTIONS_SPEC_H
#define ANALYSIS_FUNCTIONS_SPEC_H

#include "base/arena.h"
#include "base/bitset.h"
#include "base/nearest.h"
#include "model/program.h"

/* One side of a specification. Parts that are missing match everything. */
struct spec_half {
	const char *file;     /* NULL, or the last component of a path */
	const char *function; /* NULL, or a linker name */
	unsigned line;        /* 0, or a source line */
	const char *module;   /* NULL, or a pattern for the name or path of an object */
	bool own;             /* only symbols of the program itself */
};

/* One side (`from` alone), or calls from one side to the other. */
struct spec {
	struct spec_half from, to;
	bool is_arc; /* the specification had a slash */
};

/*
 * Reads
 *
 *   spec = half [ "/" half ]      divided at the first slash, unless that follows an @
 *   half = [ file ":" ] [ line | function ] [ "@" module ]      divided at the last colon
 *
 * A half without colon is a file if it has a dot, unless it is in brackets, as the names of whole
 * libraries are. What begins with a digit is a line. "@" begins a module only if `modules` is set.
 * Every text is a valid specification. The result's strings live in mem.
 */
struct spec spec_parse(const char *text, bool modules, struct arena *mem);

/* Whether matching needs the source locations of symbols. */
bool spec_needs_locations(const struct spec *spec);

/*
 * A half to search for, and the set to which its symbols are added; several searches may share a
 * set.
 */
struct spec_search {
	struct spec_half half;
	struct bitset into;
	bool matched; /* some symbol matched */
};

/*
 * Does n searches at once. `locations` has one entry for each symbol, or is NULL if no half needs
 * locations. With an address space, a function of a module matches by its name with and without
 * "@MODULE". O((symbols + n) log n), plus symbols times the halves that name no function.
 */
void spec_match(struct spec_search *searches, size_t n, const struct symtab *symtab,
		const struct address_space *space, const struct location *locations,
		const struct arena *mem);

/* Returns the names in the symtab that are most similar to `name` (base/nearest.h). */
struct nearest spec_nearest(const char *name, const struct symtab *symtab, const struct arena *mem);

#endif
