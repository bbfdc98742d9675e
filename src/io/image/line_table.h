/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes a line table of DWARF debug information, with libdw. */
#ifndef IO_IMAGE_LINE_TABLE_H
#define IO_IMAGE_LINE_TABLE_H

#include "base/progress.h"
#include "base/strtable.h"
#include "io/image/image.h"
#include "io/image/line_damage.h"
#include "model/line_table.h"
#include "model/program.h"

#include <stdbool.h>

/* Which part of a line table is wanted. */
struct line_request {
	const struct code_range *code; /* executable sections; code elsewhere was discarded */
	size_t ncode;
	/*
	 * Wanted addresses, sorted. Only units that contain one of them are read and, unless
	 * functions are named, only the lines of these addresses. NULL: all lines.
	 */
	const uint64_t *pc;
	size_t npcs;
	const struct symtab *labels; /* names of functions that have only a plain name; NULL:
					functions are not named */
	bool callers; /* also find where inlined code was inlined, if functions are named */
	struct progress *progress; /* counts units; may be NULL */
	/* gets the damage in this file, if that has more places than what is there */
	struct line_damage *damage;
};

/*
 * Reads what is wanted from the object file. The function of a row is the innermost subprogram or
 * inlined instance that contains the code, that is, the one with the smallest range; scopes.h says
 * how it is named. Files have their directories, relative ones the directory of the compilation
 * before them. Rows live in mem, strings in names. Returns false if libdw finds no debug
 * information in the file. Nearly linear in rows and ranges.
 */
bool line_table_read(struct line_table *table, const struct image_file *file,
		     const struct line_request *request, struct strtable *names, struct arena *mem);

#endif
