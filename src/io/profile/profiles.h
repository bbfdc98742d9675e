/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads all data files of a run into one profile. */
#ifndef IO_PROFILE_PROFILES_H
#define IO_PROFILE_PROFILES_H

#include "io/profile/gmon_read.h"

/*
 * Adds up in prof the data files that n operands name: files, "-" for standard input, or
 * directories, of which all files with profile data are read; a note says how many others there
 * are. prof has its target, `keeps_pipes`, `salvages`, and else zeros. Results live in mem;
 * operands must live as long. Returns 0, or -1 after an error message; prof must not be used then.
 * Many files are read by several threads, with the same result; few are open at once. Shows its
 * progress on a terminal.
 */
int profiles_read(struct profile *prof, const char *const *operands, size_t n,
		  enum gmon_format format, struct arena *mem, struct diag *diag);

#endif
