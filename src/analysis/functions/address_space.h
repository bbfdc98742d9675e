/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A table of the symbols of a program and of its modules, and finding recorded addresses in it. */
#ifndef ANALYSIS_FUNCTIONS_ADDRESS_SPACE_H
#define ANALYSIS_FUNCTIONS_ADDRESS_SPACE_H

#include "base/bitset.h"
#include "model/address_space.h"
#include "model/program.h"
#include "model/symbolized.h"

/* What recorded addresses are of. */
enum address_space_part {
	ADDRESS_SPACE_STACKS = 1,
	ADDRESS_SPACE_ARCS = 2,
	ADDRESS_SPACE_TICKS = 4
};

/* Ticks are of CPU time. */
enum { ADDRESS_SPACE_KIND = 0 };

/* Symbols that stand for no module. */
enum address_space_special {
	ADDRESS_SPACE_CODE,    /* [code]: where there was no module: code made at run time */
	ADDRESS_SPACE_PROGRAM, /* [PROGRAM]: code of the program outside of all its symbols */
	/* [stubs]: code that does nothing but go on to a function of another module, or records. */
	ADDRESS_SPACE_STUBS,
	ADDRESS_SPACE_BROKEN,   /* [broken stack] */
	ADDRESS_SPACE_CUT,      /* [cut stack]: where functions are missing */
	ADDRESS_SPACE_UNSEEN,   /* [unknown time] */
	ADDRESS_SPACE_UNKNOWN,  /* [outside]: outside of the program, and nobody knows where */
	ADDRESS_SPACE_RECORDER, /* [libgmon]: what made the recording, where it does not vanish from
				 * stacks
				 */
	NADDRESS_SPACE_SPECIALS,
	/* [waiting: read]: a system call, by its number; each has a symbol of its own. */
	ADDRESS_SPACE_WAITING
};

struct address_space_input {
	const struct program *program;
	const struct recorded *recorded;
	const uint32_t *same; /* address_space_same() of the modules, */
	struct bitset used;   /* and address_space_used() */
	/* One for each module; those without symbols are one symbol. NULL: all are. */
	const struct module_code *code;
	bool plain; /* names that no other module has lack that of theirs */
};

/* A table that is being made. */
struct address_space_maker {
	struct address_space_input in;
	struct symtab_finder finder;       /* of the program's functions */
	bool has[NADDRESS_SPACE_SPECIALS]; /* symbols that are wanted; theirs to set who make it */
	struct bitset waits;               /* numbers of system calls in which threads waited */
	/* From address_space_end() on: */
	struct address_space address_space;
	struct symtab symtab;
	sym_id special[NADDRESS_SPACE_SPECIALS]; /* SYM_NONE: it is not wanted */
	sym_id *first;   /* of each module that is used, its first symbol, */
	sym_id *whole;   /* and the one for what is in no other */
	sym_id *waiting; /* of each number of a system call in `waits` */
	struct arena *mem, *scratch;
};

/*
 * Of each module the first that is the same object, which may have been loaded more than once; in
 * mem. n log n.
 */
const uint32_t *address_space_same(const struct recorded *recorded, struct arena *mem);

/* Which of these have recorded addresses, of any of the parts, in mem. Linear. */
struct bitset address_space_used(const struct recorded *recorded, const uint32_t *same,
				 unsigned parts, struct arena *mem);

/* Whether there are enough addresses above a program for all modules: not for a kernel, or from a
 * hostile file. */
bool address_space_has_room(const struct symtab *program, const struct recorded *recorded);

/* Begins a table in mem; `scratch` has to last until the maker is no longer used. */
struct address_space_maker address_space_begin(const struct address_space_input *in,
					       struct arena *mem, struct arena *scratch);

/*
 * The program's symbol at an address of a module, or of none. Else SYM_NONE: address_space_find()
 * tells once there is the table, and will have what it needs.
 */
sym_id address_space_see(struct address_space_maker *m, uint32_t module, uint64_t address);

/*
 * Makes the table. Modules have the last part of their names, or where two have the same, the
 * whole. The program has room. n log n in symbols.
 */
void address_space_end(struct address_space_maker *m);

/* The symbol at an address that address_space_see() did not find. O(log n). */
sym_id address_space_find(const struct address_space_maker *m, uint32_t module, uint64_t address);

/* Where in the space an address is that address_space_see() has seen: in its symbol. O(log n). */
uint64_t address_space_address(const struct address_space_maker *m, uint32_t module,
			       uint64_t address);

#endif
