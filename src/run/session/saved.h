/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A data file in the place of the program: what lies beside it tells of which program it is. */
#ifndef RUN_SESSION_SAVED_H
#define RUN_SESSION_SAVED_H

#include "run/session/session.h"

/*
 * If all that the user named is a data file with call stacks, or a directory of what gprof --run
 * has kept, makes of it the data, and the program that of the process that began first; where
 * others ran other programs, they are together. Nothing changes if that does not tell, or the
 * program is gone: then what was named is to be a program. Says nothing. Strings live in mem.
 * Linear in the files, which are read once for it.
 */
void saved_find_program(struct session_input *input, struct arena *mem);

#endif
