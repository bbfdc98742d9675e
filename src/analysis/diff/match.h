/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which functions of two builds of a program are the same one. */
#ifndef ANALYSIS_DIFF_MATCH_H
#define ANALYSIS_DIFF_MATCH_H

#include "base/array.h"
#include "base/bitset.h"
#include "base/diag.h"
#include "model/difference.h"
#include "model/program.h"

/* A function that has another name in the new program. */
struct match_rename {
	const char *from, *to;
};

typedef ARRAY(struct match_rename) match_renames;

/* The functions of one side. */
struct match_side {
	const struct symtab *symtab;
	struct bitset shown;              /* those that anybody wants to see */
	const struct location *locations; /* of those that match_wants() adds; one a symbol */
};

/*
 * Adds static functions that have their name in common with another one of their side: only the
 * source file tells these apart. Expected linear.
 */
void match_wants(const struct symtab *symtab, struct bitset wanted, const struct arena *mem);

/*
 * Puts the functions of both sides into rows, in mem: first those that the user says are the same,
 * then those with the same linker name, joined with the base name of the source file where that is
 * ambiguous; with the same name without what compilers add (plain.h); the same readable name
 * without that; the same but for numbers. Several of one name are in one row. Of what is left,
 * parts of a function (f.cold) join the row of the function, if the other side has that. Once
 * nothing that is shown is left, the rest is not looked at. 0, or -1 with the reason said, if there
 * is no function of a name that the user says. Expected linear in the bytes of names.
 */
int match_functions(struct difference_match *match, const struct match_side sides[SIDES],
		    const match_renames *renames, struct arena *mem, struct diag *diag);

#endif
