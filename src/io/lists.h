/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads lists that the user gives, as nm prints them: of functions, or of the object files they
 * are in. */
#ifndef IO_LISTS_H
#define IO_LISTS_H

#include "base/diag.h"
#include "model/object_map.h"
#include "model/symtab.h"

/*
 * Reads a list of functions as nm prints them: ADDRESS TYPE NAME. The address is hexadecimal with
 * or without 0x; the type is T, or t for static functions; more words may follow. Other lines are
 * ignored. The last function extends to `end`. Table and names live in mem. Returns 0, or -1 after
 * an error message; a file without any such line is a failure. n log n.
 */
int lists_read_symbols(struct symtab *symtab, const char *path, uint64_t end, struct arena *mem,
		       struct diag *diag);

/*
 * Reads lines as `nm -A` prints them, OBJECT:ANYTHING FUNCTION: the object is the text before the
 * first colon, the function the text after the last blank. Empty lines and nm's messages ("No
 * symbols in ...") are ignored. All is in mem. Returns 0, or -1 after an error message: a line of
 * another form, or no line at all. n log n.
 */
int lists_read_objects(struct object_map *map, const char *path, struct arena *mem,
		       struct diag *diag);

#endif
