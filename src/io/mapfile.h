/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A map of functions to object files from a text file. */
#ifndef IO_MAPFILE_H
#define IO_MAPFILE_H

#include "base/diag.h"
#include "model/object_map.h"

/*
 * Reads lines as `nm -A` prints them, OBJECT:ANYTHING FUNCTION: the object is what precedes the
 * first colon, the function what follows the last blank. Empty lines and nm's remarks ("No symbols
 * in ...") are ignored. All is in mem. 0, or -1 with the reason said: a line of another form, or no
 * line at all. n log n.
 */
int mapfile_read(struct object_map *map, const char *path, struct arena *mem, struct diag *diag);

#endif
