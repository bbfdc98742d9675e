/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Everything that is known about a program's code. */
#ifndef MODEL_PROGRAM_H
#define MODEL_PROGRAM_H

#include "model/address_space.h"
#include "model/code_range.h"
#include "model/inlined.h"
#include "model/object_map.h"
#include "model/profile.h"
#include "model/symtab.h"

/* A call instruction: an address in one function, and the start of the function that it calls. */
struct call_site {
	uint64_t from_pc, to_pc;
};

/* Sorted by from_pc. */
struct call_sites {
	const struct call_site *at;
	size_t n;
};

/* The source location of a symbol; file is NULL if it is unknown. */
struct location {
	const char *file; /* with directories, as in the debug information */
	unsigned line;
};

/* Where the code is in the program's file, and what identifies the file. */
struct mapping {
	uint64_t lo, hi;      /* addresses of all code */
	uint64_t offset;      /* offset in the file of the byte at lo */
	const char *build_id; /* hexadecimal digits, or NULL */
};

struct program {
	const char *path;
	struct target target;
	struct symtab symtab;
	struct symtab dropped; /* functions that GNU gprof's table lacks, whether symtab has them or
				  not; there may be gaps. Empty if `listed` */
	bool listed; /* the user gave a list of functions, which symtab is made from; no symbol has
			a location */
	struct object_map objects; /* empty unless an order of object files was asked for */
	bool by_line; /* source lines were asked for; symtab has them unless `listed` */
	const struct location *locations; /* one for each symbol, if symtab has lines; else NULL */
	struct call_sites calls;          /* all call instructions; empty unless asked for */
	const struct code_range *stubs;   /* code that only jumps to functions of other objects */
	size_t nstubs;                    /* sorted by address; empty without an address space */
	/* the inlined functions whose symbols are in symtab, or NULL */
	const struct inlined *inlined;
	/* The address space of program and modules, if symtab has symbols of modules; else NULL. */
	const struct address_space *address_space;
};

#endif
