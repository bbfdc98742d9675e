/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Makes a table of the symbols of a program and of its modules, and finds recorded addresses in it.
 */
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

/* The kind of ticks that the table is made for: CPU time. */
enum { ADDRESS_SPACE_KIND = 0 };

/* Symbols for code in no module, and for time without code. */
enum address_space_special {
	ADDRESS_SPACE_CODE,    /* [code]: in no module, such as code generated at run time */
	ADDRESS_SPACE_PROGRAM, /* [PROGRAM]: code of the program outside of all its symbols */
	/*
	 * [stubs]: code that only jumps to a function of another module, or code of the recorder.
	 */
	ADDRESS_SPACE_STUBS,
	ADDRESS_SPACE_BROKEN,   /* [broken stack]: the unwinder could not reach the outer end */
	ADDRESS_SPACE_CUT,      /* [cut stack]: in place of functions that are missing */
	ADDRESS_SPACE_UNSEEN,   /* [unknown time]: time for which no stack is known */
	ADDRESS_SPACE_UNKNOWN,  /* [outside]: an unknown address outside of the program */
	ADDRESS_SPACE_RECORDER, /* [libgmon]: code of the recording library, in stacks that do not
				   leave it out */
	ADDRESS_SPACE_ALL_WAIT, /* [all wait]: above stacks of waiting in whose time no thread ran
				 */
	NADDRESS_SPACE_SPECIALS,
	/* [waiting: read]: time in a system call; one symbol for each number. */
	ADDRESS_SPACE_WAITING
};

/*
 * After the modules' addresses come those of special symbols, which have a stride each, of system
 * calls, and of inlined functions. Where system calls begin:
 */
static inline uint64_t address_space_waits_base(const struct address_space *space)
{
	return address_space_end_of_modules(space) + NADDRESS_SPACE_SPECIALS * ADDRESS_SPACE_STRIDE;
}

/* And where inlined functions do. */
static inline uint64_t address_space_inlined_base(const struct address_space *space)
{
	return address_space_waits_base(space) + ADDRESS_SPACE_STRIDE;
}

struct address_space_input {
	const struct program *program;
	const struct recorded *recorded;
	const uint32_t *same; /* from address_space_same() */
	struct bitset used;   /* from address_space_used() */
	/*
	 * One for each module; a module without functions here becomes one symbol. NULL: all
	 * modules do.
	 */
	const struct module_code *code;
	bool plain; /* names that only one module has get no "@MODULE" */
};

/* A table that is being made. */
struct address_space_maker {
	struct address_space_input in;
	struct symtab_finder finder;       /* of the program's functions */
	bool has[NADDRESS_SPACE_SPECIALS]; /* which special symbols the table gets; callers may set
					      more */
	struct bitset waits;               /* the numbers of system calls in which threads waited */
	/* Set by address_space_end(): */
	struct address_space address_space;
	struct symtab symtab;
	sym_id special[NADDRESS_SPACE_SPECIALS]; /* SYM_NONE: not in the table */
	sym_id *first;                           /* the first symbol of each used module */
	sym_id *whole;   /* the symbol for addresses in no other symbol of the module */
	sym_id *waiting; /* for each number in `waits`, the symbol of that system call */
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

/*
 * Whether there are enough addresses above the program for all modules. There are too few above
 * kernels, and in files with false addresses.
 */
bool address_space_has_room(const struct symtab *program, const struct recorded *recorded);

/* Begins a table in mem; `scratch` must outlive the maker. */
struct address_space_maker address_space_begin(const struct address_space_input *in,
					       struct arena *mem, struct arena *scratch);

/*
 * Takes an address in a module, or in none. Returns its symbol if it lies in a function of the
 * program. If not, returns SYM_NONE, and address_space_end() makes a symbol for it, which
 * address_space_find() returns.
 */
sym_id address_space_note(struct address_space_maker *m, uint32_t module, uint64_t address);

/*
 * Makes the table. Modules are named by the last component of their paths, or by the whole path
 * where two modules have the same last component. address_space_has_room() must be true. n log n in
 * symbols.
 */
void address_space_end(struct address_space_maker *m);

/* Returns the symbol at an address for which address_space_note() returned SYM_NONE. O(log n). */
sym_id address_space_find(const struct address_space_maker *m, uint32_t module, uint64_t address);

/*
 * Returns the address in the address space, within its symbol, of an address that was given to
 * address_space_note(). O(log n).
 */
uint64_t address_space_address(const struct address_space_maker *m, uint32_t module,
			       uint64_t address);

#endif
