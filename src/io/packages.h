/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which package of the system has the symbols of a file. */
#ifndef IO_PACKAGES_H
#define IO_PACKAGES_H

#include "base/arena.h"

/* Where dpkg keeps the lists of the files of all packages. */
#define PACKAGES_LISTS "/var/lib/dpkg/info"

/*
 * Returns the name that Debian's archive of debug symbols gives to the package with those of a
 * file, such as "liblzma5-dbgsym", from dpkg's lists in a directory: by the package that owns the
 * file. In mem; NULL if no package owns it, or there are no lists. Linear in the lists, of which at
 * most 64 MB are read.
 */
const char *packages_debug(const char *path, const char *lists, struct arena *mem);

#endif
