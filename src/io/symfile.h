/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A symbol table from a text file. */
#ifndef IO_SYMFILE_H
#define IO_SYMFILE_H

#include "base/diag.h"
#include "model/symtab.h"

/*
 * Reads the functions that path lists as nm prints them: ADDRESS TYPE NAME, the address in
 * hexadecimal with or without 0x, the type T or, for static ones, t; more words may follow. Other
 * lines are ignored. The last function extends to `end`. Table and names live in mem. 0, or -1 with
 * the reason said; a file without any such line is a failure. n log n.
 */
int symfile_read(struct symtab *symtab, const char *path, uint64_t end, struct arena *mem,
		 struct diag *diag);

#endif
