/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A table of the symbols of a program and of its modules, and finding recorded addresses in it. */
#ifndef ANALYSIS_FUNCTIONS_ADDRESS_SPACE_H
#define ANALYSIS_FUNCTIONS_ADDRESS_SPACE_H

#include "base/bitset.h"
#include "model/address_space.h"
#include "model/program.h"
#include "model/symbolized.h"

/* Parts of a recording that have addresses; bits of a mask. */
enum address_space_part {
	ADDRESS_SPACE_STACKS = 1,
	ADDRESS_SPACE_ARCS = 2,
	ADDRESS_SPACE_TICKS = 4
};

/* The kind of ticks that is used: CPU time. */
enum { ADDRESS_SPACE_KIND = 0 };

/* Symbols for code in no module, and for time without code. */
enum address_space_special {
	ADDRESS_SPACE_CODE,    /* [code]: in no module, such as code generated at run time */
	ADDRESS_SPACE_PROGRAM, /* [PROGRAM]: code of the program in none of its symbols */
	/* [stubs]: code that only jumps to a function of another module, or that records. */
	ADDRESS_SPACE_STUBS,
	ADDRESS_SPACE_BROKEN,   /* [broken stack] */
	ADDRESS_SPACE_CUT,      /* [cut stack]: where functions are missing */
	ADDRESS_SPACE_UNSEEN,   /* [unknown time] */
	ADDRESS_SPACE_UNKNOWN,  /* [outside]: an unknown address outside of the program */
	ADDRESS_SPACE_RECORDER, /* [libgmon]: the library that made the recording, where stacks keep
				   it */
	NADDRESS_SPACE_SPECIALS,
	/* [waiting: read]: time in a system call; one symbol for each number. */
	ADDRESS_SPACE_WAITING
};

struct address_space_input {
	const struct program *program;
	const struct recorded *recorded;
	const uint32_t *same; /* from address_space_same() */
	struct bitset used;   /* from address_space_used() */
	/* One for each module; one without symbols becomes one symbol. NULL: all do. */
	const struct module_code *code;
	bool plain; /* a name that only one module has gets no "@MODULE" */
};

/* A table that is being made. */
struct address_space_maker {
	struct address_space_input in;
	struct symtab_finder finder;       /* of the program's functions */
	bool has[NADDRESS_SPACE_SPECIALS]; /* special symbols that the table gets; callers may set
					      them */
	struct bitset waits;               /* numbers of system calls in which threads waited */
	/* Set by address_space_end(): */
	struct address_space address_space;
	struct symtab symtab;
	sym_id special[NADDRESS_SPACE_SPECIALS]; /* SYM_NONE: not in the table */
	sym_id *first;                           /* the first symbol of each used module */
	sym_id *whole;   /* the symbol for addresses in no other symbol of the module */
	sym_id *waiting; /* the symbol of each system call in `waits`, by number */
	struct arena *mem, *scratch;
};

/*
 * Returns, in mem, for each module the index of the first module that is the same object: one
 * object may have been loaded more than once. n log n.
 */
const uint32_t *address_space_same(const struct recorded *recorded, struct arena *mem);

/* Returns, in mem, the modules that have recorded addresses in any of the parts. Linear. */
struct bitset address_space_used(const struct recorded *recorded, const uint32_t *same,
				 unsigned parts, struct arena *mem);

/* Whether there are enough addresses above the program for all modules. There are not for kernels,
 * or in hostile files. */
bool address_space_has_room(const struct symtab *program, const struct recorded *recorded);

/* Begins a table in mem; `scratch` must outlive the maker. */
struct address_space_maker address_space_begin(const struct address_space_input *in,
					       struct arena *mem, struct arena *scratch);

/*
 * Returns the program's symbol at an address of a module, or of none. If the address is in no such
 * symbol, returns SYM_NONE and notes which symbol the table needs; address_space_find() returns it
 * later.
 */
sym_id address_space_see(struct address_space_maker *m, uint32_t module, uint64_t address);

/*
 * Makes the table. A module is named by the last part of its path, or by the whole path where two
 * are alike. address_space_has_room() must be true. n log n in symbols.
 */
void address_space_end(struct address_space_maker *m);

/* Returns the symbol at an address for which address_space_see() returned SYM_NONE. O(log n). */
sym_id address_space_find(const struct address_space_maker *m, uint32_t module, uint64_t address);

/* Returns where in the space an address is that was given to address_space_see(): an address within
 * its symbol. O(log n). */
uint64_t address_space_address(const struct address_space_maker *m, uint32_t module,
			       uint64_t address);

#endif
