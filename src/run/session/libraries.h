/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the files of a program's libraries, and reads their symbols. */
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

/* Whether an open image, the file `path`, is what was loaded as the module: it has the same build
 * id or, if neither has one, the same size. */
bool libraries_fits(const struct module *module, const char *path, const struct image *image,
		    struct arena *mem);

/*
 * Opens the file of a module, in one of the directories or at its path below the sysroot, that
 * libraries_fits(). NULL, and a warning, if there is none. To be closed by the caller.
 */
struct image *libraries_open(const struct module *module, const struct library_search *search,
			     struct arena *mem, struct diag *diag);

/*
 * The symbols of the modules in a set, one element for each module of `recorded`, in mem. Modules
 * that are not in the set, are the program, or have no file that fits, have no symbols; stripped
 * ones have those of image_choice.unnamed. n log n in symbols.
 */
const struct module_code *libraries_read(const struct recorded *recorded, struct bitset wanted,
					 const struct library_search *search, struct arena *mem,
					 struct diag *diag);

/* Warns if the image has another build id than the program that was recorded: then time may be in
 * the wrong functions. */
void libraries_check_program(const struct recorded *recorded, const struct image *image,
			     const char *path, struct arena *mem, struct diag *diag);

/* The image's sections of stubs, such as .plt, whose code only jumps to functions elsewhere: *n
 * ranges by address, in mem. */
const struct code_range *libraries_stubs(const struct image *image, size_t *n, struct arena *mem);

#endif
