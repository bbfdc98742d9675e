/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds data files beside another one: of its libraries, and of forked children. */
#ifndef IO_PROFILE_NEARBY_H
#define IO_PROFILE_NEARBY_H

#include "model/evidence.h"
#include "model/profile.h"

/*
 * Sets e->libraries and e->children for the only data file that prof was read from: the files in
 * its directory named like it with .LIBRARY or .PID added. Files of libraries are written after it,
 * so older ones are left out; those of children must have the same range of addresses. At most 256
 * of each are read; those that cannot be read are left out. Results live in mem.
 */
void nearby_find(struct evidence *e, const struct profile *prof, struct arena *mem);

/*
 * Returns the file that may be the missing profile, in mem, or NULL: a file of that name in the
 * program's directory, or else the newest file whose name has .PID added, as forked children and
 * GMON_OUT_PREFIX write it.
 */
const char *nearby_instead(const char *missing, const char *program, struct arena *mem);

#endif
