/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The short forms of functions' names, which screens, pages and pictures show. */
#ifndef BASE_SHORT_NAME_H
#define BASE_SHORT_NAME_H

#include "base/display_width.h"

#include <stdbool.h>

/* The parts of a demangled name. Strings are in the arena of the maker, or part of the name. */
struct short_name {
	const char *name;  /* the function's short name */
	const char *whole; /* its name without the parts below */
	const char
		*library;  /* what follows the last '@', such as "libc.so.6"; NULL: nothing does */
	const char *clone; /* "[clone .isra.0]"; NULL: the name has none */
	bool inlined;      /* the name ends in INLINED_SUFFIX */
};

/*
 * Takes a demangled name apart. Of the name itself, arguments, template arguments, the return type
 * and outer namespaces are left out: the last component stays, with the one before it, which is the
 * class of a method, or in D, where dots separate components, its module. Lambdas stay with the
 * function that they are in, as "main::{lambda#2}". Names in square brackets, names of C, and names
 * whose brackets do not match stay as they are; but of the C library's variants of a function, the
 * name is what programs call: "strlen" for
 * "__strlen_evex@libc.so.6". Of functions of JavaScript and Python the place is left out:
 * "JS:*loop" for "JS:*loop /home/me/fib.js:2:15". Linear.
 */
struct short_name short_name_make(const char *demangled, struct arena *mem);

/*
 * Names of different functions that are the same in parts[0] up to parts[n - 1], with the same
 * library and remark, get what tells them apart, in mem: the clone, or else the whole name.
 * n log n.
 */
void short_name_tell_apart(struct short_name *parts, uint32_t n, struct arena *mem);

/* Returns a library's name without its version, in mem: "libc" for "libc.so.6". Linear. */
const char *short_name_library(const char *library, struct arena *mem);

/*
 * Returns the name in at most `columns` columns, in mem: the whole name or, if that is wider, the
 * short one, cut by display_width_cut_name() if it must be. Linear.
 */
struct shown short_name_fit(const char *demangled, uint32_t columns, struct arena *mem);

/*
 * Whether a demangled name is what a user calls by its last components: "operator[]" and
 * "Table::operator[]" are "ns::Table<int>::operator[](long)", and so is "Table", the class, if
 * `of_class`. Names of the C library's variants are those of their functions: "strlen" is
 * "__strlen_evex@libc.so.6". Linear.
 */
bool short_name_matches(const char *demangled, const char *called, bool of_class,
			const struct arena *mem);

#endif
