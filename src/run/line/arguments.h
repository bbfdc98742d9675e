/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Arguments that are read from files (@FILE). */
#ifndef RUN_LINE_ARGUMENTS_H
#define RUN_LINE_ARGUMENTS_H

#include "base/diag.h"

/*
 * Replaces each "@FILE" by the words of FILE, as libiberty's expandargv() does, but also where FILE
 * is a pipe, such as /dev/stdin, which expandargv() cannot read. Afterwards *argv is the vector
 * that was given, or a new one for freeargv(). Returns 0, or -1 after saying why a pipe cannot be
 * read or that it has no words.
 */
int arguments_expand(int *argc, char ***argv, struct diag *diag);

#endif
