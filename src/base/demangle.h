/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Source-language names from linker names, by libiberty. */
#ifndef BASE_DEMANGLE_H
#define BASE_DEMANGLE_H

#include "base/arena.h"

#include <stdbool.h>

/* The end of names of functions that were inlined, which is ours. */
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
 * A readable name may have so many bytes. A few hundred can stand for more than any memory holds,
 * because mangled names refer back to parts of themselves.
 */
enum { DEMANGLE_MOST_BYTES = 64 * 1024 };

/* Looks a style up by the name users know ("gnu-v3"). False for an unknown word. */
bool demangle_style_find(const char *word, enum demangle_style *style);

/*
 * The readable form of name with its parameters, or name itself where it is not mangled in that
 * style, or its readable form would be longer than DEMANGLE_MOST_BYTES, or might take long to make.
 * In an arena that is `aside`, no_memory() is called for names of Ada and D.
 * Leading dots and dollars, a version or @plt behind an '@', and INLINED_SUFFIX stay around the
 * result. The result
 * lives in mem, or is name.
 */
const char *demangle(const char *name, enum demangle_style style, struct arena *mem);

#endif
