/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The files of a program's modules: finding them, and the functions in them. */
#ifndef RUN_SESSION_LIBRARIES_H
#define RUN_SESSION_LIBRARIES_H

#include "base/bitset.h"
#include "base/diag.h"
#include "io/image/image.h"
#include "io/source.h"
#include "model/address_space.h"
#include "model/recorded.h"

/* Where modules are looked for. */
struct library_search {
	const char *sysroot;      /* in front of their paths; or NULL */
	string_array directories; /* that have them by the last part of their paths */
};

/* Whether an open image, of the file `path`, is the one that was loaded as a module: of the same
 * build id or, without one, size. */
bool libraries_fits(const struct module *module, const char *path, const struct image *image,
		    struct arena *mem);

/*
 * The file of a module, by its path, in front of which the sysroot is put, or in one of the
 * directories: a regular one that is the one that was loaded, of the same build id or, without one,
 * size. NULL, and a warning, if there is none.
 */
struct image *libraries_open(const struct module *module, const struct library_search *search,
			     struct arena *mem, struct diag *diag);

/*
 * What the modules of a set have, one for each module of `recorded`, in mem; those that are not in
 * the set, are the program, or have no file that fits, have no symbols. Stripped ones have what
 * image_choice.unnamed gives. n log n in their symbols.
 */
const struct module_code *libraries_read(const struct recorded *recorded, struct bitset wanted,
					 const struct library_search *search, struct arena *mem,
					 struct diag *diag);

/* Warns if the program was recorded with another build id than the image has: then functions have
 * the time of others. */
void libraries_check_program(const struct recorded *recorded, const struct image *image,
			     const char *path, struct arena *mem, struct diag *diag);

/* Code that only leads to functions elsewhere, by the names that linkers give its sections, *n
 * ranges by address, in mem. */
const struct code_range *libraries_stubs(const struct image *image, size_t *n, struct arena *mem);

#endif
