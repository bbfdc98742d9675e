/* SPDX-License-Identifier: MIT */
/* Which build of which program a process runs. */
#ifndef IDENTITY_H
#define IDENTITY_H

#include <stdint.h>

/*
 * A number that is equal in all processes of the same build of a program, wherever they run and
 * whatever their addresses: a hash of the build id, or without one, of the code. 0: unknown.
 */
uint64_t identity_of_program(void);

#endif
