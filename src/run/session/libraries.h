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
	const char *sysroot;       /* prefix of their paths, or NULL */
	string_array directories;  /* directories that contain them, by the last component of their
				      paths */
	struct debug_places debug; /* where their debug files are looked for */
};

/*
 * Whether an open image, the file `path`, is the file that was loaded as the module: it has the
 * same build id or, if neither has one, the same size.
 */
bool libraries_fits(const struct module *module, const char *path, const struct image *image,
		    struct arena *mem);

/*
 * Opens the file of a module: the first that libraries_fits() accepts, in one of the directories or
 * at its path below the sysroot; or else its debug file, which has the same build id. Returns NULL
 * after a warning if there is none. The caller closes the image.
 */
struct image *libraries_open(const struct module *module, const struct library_search *search,
			     struct arena *mem, struct diag *diag);

/*
 * Returns the symbols of the modules in the set `wanted`, in mem: an element for each module of
 * `recorded`. It is empty for modules that are not in the set, are the program, or have no file
 * that fits; stripped ones have the symbols of image_choice.unnamed, and that of code that was made
 * at run time has its functions. n log n in symbols.
 */
const struct module_code *libraries_read(const struct recorded *recorded, struct bitset wanted,
					 const struct library_search *search, struct arena *mem,
					 struct diag *diag);

/*
 * Warns if the image has another build id than the recorded program: time may then be shown in the
 * wrong functions.
 */
void libraries_check_program(const struct recorded *recorded, const struct image *image,
			     const char *path, struct arena *mem, struct diag *diag);

/*
 * Returns the image's sections of stubs, such as .plt, whose code only jumps to functions
 * elsewhere: *n ranges, sorted by address, in mem.
 */
const struct code_range *libraries_stubs(const struct image *image, size_t *n, struct arena *mem);

#endif
