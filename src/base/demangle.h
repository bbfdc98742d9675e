/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Demangles linker names into names of the source language, by libiberty. */
#ifndef BASE_DEMANGLE_H
#define BASE_DEMANGLE_H

#include "base/arena.h"

#include <stdbool.h>

/* gprof appends this to the names of inlined functions. */
#define INLINED_SUFFIX " (inlined)"

/* How to demangle: a style of libiberty, or not at all. */
enum demangle_style {
	DEMANGLE_NONE,
	DEMANGLE_AUTO,
	DEMANGLE_GNU_V3,
	DEMANGLE_JAVA,
	DEMANGLE_GNAT,
	DEMANGLE_DLANG,
	DEMANGLE_RUST,
};

/*
 * The most bytes of a demangled name. A mangled name of a few hundred bytes can stand for more text
 * than any memory holds, because it refers back to parts of itself.
 */
enum { DEMANGLE_MOST_BYTES = 64 * 1024 };

/* Looks a style up by the name users know ("gnu-v3"). Returns false for an unknown word. */
bool demangle_style_find(const char *word, enum demangle_style *style);

/*
 * Returns the demangled name with its parameters; or `name` itself if it is not mangled in that
 * style, or if its demangled form would be longer than DEMANGLE_MOST_BYTES or take long to make.
 * For names of Ada and D, no_memory() is called in an arena that is `aside`. Leading dots and
 * dollars, a version or plt after an '@', and INLINED_SUFFIX are kept around the result, which
 * lives in mem unless it is `name`.
 */
const char *demangle(const char *name, enum demangle_style style, struct arena *mem);

#endif
