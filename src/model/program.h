/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Everything known about the code. */
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

/* By from_pc. */
struct call_sites {
	const struct call_site *at;
	size_t n;
};

/* The source location of a symbol; file is NULL if it is unknown. */
struct location {
	const char *file; /* as the debug information has it, directories included */
	unsigned line;
};

/* Where the code is in the program's file, and what identifies the file. */
struct mapping {
	uint64_t lo, hi;      /* addresses of all code */
	uint64_t offset;      /* of the byte at lo, in the file */
	const char *build_id; /* in hexadecimal, or NULL */
};

struct program {
	const char *path;
	struct target target;
	struct symtab symtab;
	struct symtab dropped; /* functions that GNU gprof's table lacks, whether symtab has them or
				  not; with gaps. None if `listed` */
	bool listed; /* symtab is from a list that the user gave: no symbol has a location */
	struct object_map objects; /* empty unless object files are to be ordered */
	bool by_line; /* source lines were asked for: unless `listed`, symtab has them */
	const struct location *locations; /* one for each symbol, if symtab has lines; else NULL */
	struct call_sites calls;          /* all call instructions; none unless asked for */
	const struct code_range *stubs;   /* code that only jumps to functions of other objects */
	size_t nstubs;                    /* sorted by address; none without address space */
	const struct inlined *inlined;    /* whose symbols symtab has; or NULL */
	/* of program and modules, if symtab has the symbols of modules; or NULL */
	const struct address_space *address_space;
};

#endif
