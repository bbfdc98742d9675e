/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functions that the compiler inlined, as symbols. */
#ifndef MODEL_INLINED_H
#define MODEL_INLINED_H

#include "base/index.h"
#include "model/address_space.h"
#include "model/line_table.h"

/* A function that was inlined, once or more often. The strings are the line table's. */
struct inlined_function {
	const char *name;     /* linker name */
	const char *declared; /* its source file; NULL: not known */
	uint32_t module;      /* RECORDED_NONE: it is in the program */
};

/* Function i has the symbol first + i, a SYM_INLINED at an address without code. */
struct inlined {
	/* lines of all code that may contain inlined functions, with callers */
	struct line_table lines;
	/*
	 * The address space to which the addresses of `lines` belong; NULL: addresses are the
	 * program's.
	 */
	const struct address_space *address_space;
	const struct inlined_function *function;
	uint32_t n;
	sym_id first;
	struct index index; /* of the functions */
};

INDEX_KEY(inlined_key, struct inlined_function, (uintptr_t)x->name, (uintptr_t)x->declared,
	  x->module)

/* Returns the module of code at an address, or RECORDED_NONE. */
static inline uint32_t inlined_module(const struct inlined *inlined, uint64_t pc)
{
	return inlined->address_space ? address_space_module(inlined->address_space, pc)
				      : RECORDED_NONE;
}

/*
 * Returns the module of a function's symbol, and sets where in the address space its addresses
 * begin.
 */
static inline uint32_t inlined_symbol_module(const struct inlined *inlined, sym_id s)
{
	return inlined->function[s - inlined->first].module;
}

static inline uint64_t inlined_base(const struct inlined *inlined, sym_id s)
{
	uint32_t module = inlined_symbol_module(inlined, s);

	return module == RECORDED_NONE
		       ? 0
		       : inlined->address_space->base + module * ADDRESS_SPACE_STRIDE;
}

/*
 * Returns the symbol of the inlined function with this name and file that has code at pc, or
 * SYM_NONE. Expected constant time.
 */
static inline sym_id inlined_find(const struct inlined *inlined, const char *name,
				  const char *declared, uint64_t pc)
{
	const struct inlined_function wanted = { name, declared, inlined_module(inlined, pc) };
	uint32_t at = index_lookup(&inlined->index, inlined->function, inlined_key, &wanted);

	return at != INDEX_NONE ? inlined->first + at : SYM_NONE;
}

#endif
