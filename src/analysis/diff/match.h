/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which functions of two builds of a program are the same one. */
#ifndef ANALYSIS_DIFF_MATCH_H
#define ANALYSIS_DIFF_MATCH_H

#include "base/array.h"
#include "base/bitset.h"
#include "base/diag.h"
#include "model/difference.h"
#include "model/program.h"

/* A function that the user says has another name in the new program. */
struct match_rename {
	const char *from, *to;
};

typedef ARRAY(struct match_rename) match_renames;

/* The functions of one side. */
struct match_side {
	const struct symtab *symtab;
	struct bitset shown;              /* those that the report or an export may show */
	const struct location *locations; /* of those that match_wants() adds; one a symbol */
};

/*
 * Adds to `wanted` the static functions that share their name with another function of their side:
 * only their source files tell them apart. Linear on average.
 */
void match_wants(const struct symtab *symtab, struct bitset wanted, const struct arena *mem);

/*
 * Puts the functions of both sides into rows, in mem: first those that the user says are the same,
 * then those with the same linker name, and the same source file where a name is ambiguous; the
 * same name without what compilers append (plain.h); the same demangled name without that; the same
 * but for numbers. Functions of one side with the same key share a row. Of those that are left,
 * parts of a function (f.cold) join the row of the function if the other side has it. The levels
 * end when no function that is shown is left. 0, or -1 with the reason said if no function has a
 * name that the user gave. Linear in the bytes of names on average.
 */
int match_functions(struct difference_match *match, const struct match_side sides[SIDES],
		    const match_renames *renames, struct arena *mem, struct diag *diag);

#endif
