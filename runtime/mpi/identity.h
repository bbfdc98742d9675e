/* SPDX-License-Identifier: MIT */
/* Which build of which program a process runs. */
#ifndef IDENTITY_H
#define IDENTITY_H

#include <stdint.h>

/*
 * A number that is the same in processes of the same build, wherever they run and are loaded: of
 * the program's build id, or, if it has none, of its code. 0: it cannot be told.
 */
uint64_t identity_of_program(void);

#endif
