/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The address space of a program: one range of addresses for the code of the program and of all its
 * modules.
 */
#ifndef MODEL_ADDRESS_SPACE_H
#define MODEL_ADDRESS_SPACE_H

#include "base/bitset.h"
#include "model/code_range.h"
#include "model/recorded.h"
#include "model/symtab.h"

#include <string.h>

/*
 * Each module has this many addresses in the space; the low bits of an address are the link-time
 * address.
 */
#define ADDRESS_SPACE_STRIDE (UINT64_C(1) << 40)

struct location;

/* Where the names of a module's functions were read from. */
enum module_names {
	NAMES_NONE,    /* no file: the whole module is one symbol */
	NAMES_FRAMES,  /* call-frame information: functions without names */
	NAMES_DYNAMIC, /* call-frame information, and the names that the module exports */
	NAMES_FULL,
};

/* What was read from a module's file. Addresses are link-time addresses. */
struct module_code {
	const char *path;     /* path of the file; NULL: none was read */
	struct symtab symtab; /* functions, sorted, possibly with gaps */
	/* locations of all symbols, if symbols are lines; else NULL */
	const struct location *locations;
	enum module_names names;
	const struct code_range *stubs; /* code ranges as in program.stubs, sorted by address */
	size_t nstubs;
	bool made; /* made at run time: address i is element i of recorded.made, which has its line
		    */
};

/*
 * Symbols of the program come first, unchanged; those of modules follow, as SYM_FOREIGN. The
 * addresses of module i begin at base + i * ADDRESS_SPACE_STRIDE.
 */
struct address_space {
	const struct recorded *recorded;
	const struct module_code *code; /* for each module, what was read; NULL: nothing was read */
	const char *const *name;        /* for each used module, its name in symbols, after "@" */
	struct bitset used;             /* modules with symbols in the table */
	uint64_t base;
	sym_id rest;  /* the symbol for code of the program outside of all its other symbols, or
			 SYM_NONE */
	sym_id waits; /* the first of nwaits symbols, one for each system call in which threads
			 waited */
	uint32_t nwaits;
	uint32_t own;                /* the module that is the program, or RECORDED_NONE */
	const char *own_path;        /* path of the program as the user gave it */
	enum module_names own_names; /* where the names of the program's functions were read from */
	bool located;                /* source locations of modules' symbols are looked up */
};

/*
 * The module of the symbol at an address; RECORDED_NONE for symbols of the program and special
 * symbols.
 */
static inline uint32_t address_space_module(const struct address_space *space, uint64_t address)
{
	uint64_t i = (address - space->base) / ADDRESS_SPACE_STRIDE;

	return address >= space->base && i < space->recorded->modules.n ? (uint32_t)i
									: RECORDED_NONE;
}

/* The end of the modules' addresses, where those of special symbols begin. */
static inline uint64_t address_space_end_of_modules(const struct address_space *space)
{
	return space->base + space->recorded->modules.n * ADDRESS_SPACE_STRIDE;
}

/* The link-time address in its module of an address in a module's range. */
static inline uint64_t address_space_own_address(uint64_t address)
{
	return address % ADDRESS_SPACE_STRIDE;
}

/* The link-time address, in its object, of code in a symbol; 0 for a SYM_WHOLE of a module. */
static inline uint64_t address_space_code_address(const struct sym *sym, uint64_t pc)
{
	if (!symtab_is_elsewhere(sym))
		return pc;
	return sym->flags & SYM_WHOLE ? 0 : address_space_own_address(pc);
}

/* The length of the name of a module's symbol without "@MODULE". */
static inline size_t address_space_plain_length(const struct address_space *space, const char *name,
						uint32_t module)
{
	size_t n = strlen(name), suffix = strlen(space->name[module]);

	return n > suffix && name[n - suffix - 1] == '@' &&
			       strcmp(name + n - suffix, space->name[module]) == 0
		       ? n - suffix - 1
		       : n;
}

#endif
