/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The functions of a program, and their source lines, by address. */
#ifndef MODEL_SYMTAB_H
#define MODEL_SYMTAB_H

#include "base/arena.h"
#include "model/line_table.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint32_t sym_id; /* index into symtab.sym */

#define SYM_NONE UINT32_MAX

enum sym_flags {
	SYM_FUNC = 1,      /* marked as a function, or from a format without such marks */
	SYM_STATIC = 2,    /* local to its source file */
	SYM_OBJECT = 4,    /* represents an object file and has its name */
	SYM_LINE = 8,      /* code of one source line; not a function */
	SYM_DROPPED = 16,  /* GNU gprof counts its code with the function before it */
	SYM_FOREIGN = 32,  /* not in the program's file: it has no location there */
	SYM_INLINED = 128, /* a function that was inlined into others, so that its code is inside of
			      theirs */
	SYM_LIBRARY = 256, /* with SYM_INLINED: code of a library */
	SYM_WHOLE = 64,    /* stands for all functions of an object, or for code in no object: calls
			      within it are not known */
};

/*
 * A symbol. Has only what identifies it: passes put their results into arrays that are indexed by
 * sym_id.
 */
struct sym {
	uint64_t lo, hi;  /* addresses [lo, hi); only a last symbol after the text may be empty (hi
			     == lo) */
	const char *name; /* linker name */
	unsigned flags;
	uint32_t place; /* position in the object file of the first symbol at this address;
			   UINT32_MAX for a line */
};

/* Whether the symbol's code is not in the program's file. */
static inline bool symtab_is_elsewhere(const struct sym *sym)
{
	return sym->flags & SYM_FOREIGN &&
	       (!(sym->flags & SYM_INLINED) || sym->flags & SYM_LIBRARY);
}

/* Whether [lo, hi) is code of the symbol's function, in the program or in a library. */
static inline bool symtab_has_code(const struct sym *sym)
{
	return !(sym->flags & (SYM_WHOLE | SYM_INLINED));
}

/* Sorted by lo; disjoint, without gaps, all lo different. */
struct symtab {
	const struct sym *sym;
	uint32_t nsyms;
};

/*
 * Makes a table in mem out of n candidates in the object file's order; their hi is ignored. Of the
 * symbols at an address it keeps one: the global one, then the function, then the one with fewer
 * leading underscores (of 0, 1, 2), then the first; the one that is kept is SYM_DROPPED if all of
 * them were. Each extends to the next, the last to `end`. Names are not copied. O(n log n).
 */
struct symtab symtab_build(const struct sym *candidates, size_t n, uint64_t end, struct arena *mem);

/*
 * Returns a table, in mem, of the functions and, within each of them, a symbol for each row of
 * `lines` that differs from the row before in line, file or function. If a function and a line
 * begin at one address, the table has the function. A row without a function has the name of the
 * label that contains it. Names are not copied. O(n log n).
 */
struct symtab symtab_add_lines(const struct symtab *functions, const struct symtab *labels,
			       const struct line_table *lines, struct arena *mem);

/* Returns the first symbol that ends after pc, or nsyms if none does. O(log n). */
sym_id symtab_from(const struct symtab *symtab, uint64_t pc);

/*
 * A table for finding very many addresses. The text is divided into as many equal pieces as there
 * are symbols, or up to twice as many; the table has the symbol at the first byte of each. It
 * copies the addresses of symbols into a compact array, since cache misses take most of the time.
 */
struct symtab_finder {
	const uint64_t *lo; /* for each symbol, its first address */
	uint64_t size;      /* bytes of all symbols together */
	uint64_t npieces;
	unsigned shift; /* a piece has 1 << shift bytes */
	const sym_id *at;
};

/* Makes the finder, in mem. Linear. */
struct symtab_finder symtab_finder_make(const struct symtab *symtab, struct arena *mem);

/*
 * Finds a symbol like symtab_find(), in constant time if functions are about equally large, O(log
 * n) at worst.
 */
sym_id symtab_finder_find(const struct symtab_finder *finder, uint64_t pc);

/* Returns the symbol whose range contains pc, or SYM_NONE. O(log n). */
sym_id symtab_find(const struct symtab *symtab, uint64_t pc);

#endif
