/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Data files that lie where another is or should be: of its libraries, of forked children. */
#ifndef IO_PROFILE_NEARBY_H
#define IO_PROFILE_NEARBY_H

#include "model/evidence.h"
#include "model/profile.h"

/*
 * Fills in e->libraries and e->children of the single data file that prof was read from: in its
 * directory, files with its name and .LIBRARY or .PID added. Those of libraries are written after
 * it, so older ones are left out; those of children must have its range of addresses. Reads at most
 * 256 of each; what cannot be read is left out. Results live in mem.
 */
void nearby_find(struct evidence *e, const struct profile *prof, struct arena *mem);

/*
 * A file that may be the profile that is missing, in mem, or NULL: in the directory of the program,
 * or else the newest with .PID added to the name, which forked children and GMON_OUT_PREFIX give.
 */
const char *nearby_instead(const char *missing, const char *program, struct arena *mem);

#endif
