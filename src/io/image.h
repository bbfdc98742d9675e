/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An object file, through libbfd: its target, symbols and source locations. */
#ifndef IO_IMAGE_H
#define IO_IMAGE_H

#include "base/diag.h"
#include "model/program.h"

struct image;

/* Static symbols that are not to be in the table; their code then counts with what is below it. */
struct image_choice {
	bool no_static;         /* none at all */
	bool no_untyped_static; /* none that is not marked as a function */
};

/* Opens an executable or object file that has a .text section. NULL with the reason said. */
struct image *image_open(const char *path, struct diag *diag);

/* How the machine that the image is for writes addresses. */
struct target image_target(const struct image *image);

/*
 * The functions in the image's symbol table, chosen as gprof always did: global and weak ones, and
 * static ones whose names a compiler would give to a function, but for those that `choice` leaves
 * out. Symbols and names live in mem. 0, or -1 with the reason said; an empty table is a failure.
 * n log n.
 */
int image_symtab(struct image *image, const struct image_choice *choice, struct symtab *symtab,
		 struct arena *mem, struct diag *diag);

/*
 * Where the code at pc comes from, by the image's debug information; the file name lives in mem.
 * A first call reads that information, which can take long.
 */
struct location image_location(struct image *image, uint64_t pc, struct arena *mem);

/* NULL is allowed. */
void image_close(struct image *image);

#endif
