/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reading all data files of a run. */
#ifndef IO_PROFILE_PROFILES_H
#define IO_PROFILE_PROFILES_H

#include "io/profile/gmon_read.h"

/*
 * Adds up in prof, which has a target, `keeps_pipes` and nothing else, the data files that n
 * operands name: files, "-" for standard input, or directories, of which all files are read that
 * are profile data. Of others there, a note tells how many. Results live in mem; operands must live
 * as long. 0, or -1 with the reason said; prof is good for nothing then. Many files are read by
 * several threads; the result is the same. Few are open at once. Shows its progress on a terminal.
 */
int profiles_read(struct profile *prof, const char *const *operands, size_t n,
		  enum gmon_format format, struct arena *mem, struct diag *diag);

#endif
