/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Matches the functions of two builds of a program. */
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
	struct bitset shown;              /* functions that the report or an export may show */
	const struct location *locations; /* source files of the functions that match_wants() added;
					     one entry for each symbol */
};

/*
 * Adds to `wanted` the static functions whose name another function of the same side has, too; only
 * their source files distinguish them. Linear on average.
 */
void match_wants(const struct symtab *symtab, struct bitset wanted, const struct arena *mem);

/*
 * Puts the functions of both sides into rows, in mem. Functions that the user declares to be the
 * same come first. Then functions are matched whose keys are equal, by one key after the other: the
 * linker name, together with the source file where the name is ambiguous; the name without what
 * compilers append (plain.h); the demangled form of that; the same without numbers. Functions of
 * one side with the same key share a row. At last, parts of a function (f.cold) join the row of the
 * function if the other side has one. Matching ends as soon as no function that is shown is left.
 * Returns 0, or -1 after saying which of the user's names no function has. Linear in the bytes of
 * names on average.
 */
int match_functions(struct difference_match *match, const struct match_side sides[SIDES],
		    const match_renames *renames, struct arena *mem, struct diag *diag);

#endif
