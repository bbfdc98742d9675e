/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Decides whether libiberty may demangle a name: libiberty has no limit for names that stand for
 * very long texts.
 */
#ifndef BASE_DEMANGLE_BOUNDS_H
#define BASE_DEMANGLE_BOUNDS_H

#include "base/arena.h"

#include <stdbool.h>

/*
 * Returns false if libiberty might visit very many parts of the C++ name before it writes the first
 * one: for pack expansions (Dp, sizeof...) it visits all types below them, and substitutions can
 * repeat these. Names without pack expansions cost a search for two letters; others are parsed a
 * second time.
 */
bool demangle_bounds_cplus(const char *mangled, int flags, struct arena *mem);

/*
 * Returns false if the demangled D name may be very long because its back references repeat other
 * ones. Of 16,571 names of the standard library, whose readable names have 5,000 bytes at most,
 * none is refused. Linear in the name, except for nested arrays.
 * https://dlang.org/spec/abi.html#back_ref
 */
bool demangle_bounds_d(const char *mangled, struct arena *mem);

#endif
