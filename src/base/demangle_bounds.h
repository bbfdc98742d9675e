/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whether libiberty can be asked about a name: it does not stop where a name stands for too much.
 */
#ifndef BASE_DEMANGLE_BOUNDS_H
#define BASE_DEMANGLE_BOUNDS_H

#include "base/arena.h"

#include <stdbool.h>

/*
 * False if libiberty might look at very many parts of the C++ name before it writes the first: for
 * pack expansions (Dp, sizeof...) it goes through all types below, which a name can repeat by
 * substitutions. Names without those cost a search for two letters, others a second parse.
 */
bool demangle_bounds_cplus(const char *mangled, int flags, struct arena *mem);

/*
 * False if the D name may stand for a very long one, because its back references repeat others. Of
 * 16,571 names of the standard library, whose readable names have 5,000 bytes at most, none is
 * refused. Linear in the name but for nested arrays. https://dlang.org/spec/abi.html#back_ref
 */
bool demangle_bounds_d(const char *mangled, struct arena *mem);

#endif
