/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists of arguments in files. */
#ifndef RUN_LINE_ARGUMENTS_H
#define RUN_LINE_ARGUMENTS_H

#include "base/diag.h"

/*
 * Puts the words of FILE in the place of each "@FILE", as libiberty's expandargv() does; but also
 * where FILE is a pipe, such as /dev/stdin, which that cannot read. The vector is as given, or one
 * for freeargv(). 0, or -1 with the reason said: a pipe that cannot be read, or has no word.
 */
int arguments_expand(int *argc, char ***argv, struct diag *diag);

#endif
