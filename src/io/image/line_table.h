/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From DWARF debug information to a line table, through libdw. */
#ifndef IO_IMAGE_LINE_TABLE_H
#define IO_IMAGE_LINE_TABLE_H

#include "base/progress.h"
#include "base/strtable.h"
#include "io/image/image.h"
#include "io/image/line_damage.h"
#include "model/linetable.h"
#include "model/program.h"

#include <stdbool.h>

/* What of a line table is wanted. */
struct line_request {
	const struct code_range *code; /* executable sections; what is elsewhere was discarded */
	size_t ncode;
	/* Sorted: the units that hold one of these addresses, and if no function is named, only the
	 * lines of these addresses. NULL: all. */
	const uint64_t *pc;
	size_t npcs;
	const struct symtab
		*labels;           /* for functions that have but a plain name; NULL: none named */
	bool callers;              /* also where inlined code was inlined, if functions are named */
	struct progress *progress; /* told of units, or NULL */
	struct line_damage *damage; /* is set to what could not be read, if that is more places */
};

/*
 * Reads what is wanted from the object file. A function is the innermost subprogram or
 * inlined instance with the code, that of the smallest range, named as scopes.h says.
 * Files have their directories; a relative one is that of the compilation. Rows live in mem,
 * strings in names. False if libdw finds no debug information in the file. Nearly linear in rows
 * and ranges.
 */
bool line_table_read(struct line_table *table, const struct image_file *file,
		     const struct line_request *request, struct strtable *names, struct arena *mem);

#endif
