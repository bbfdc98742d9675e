/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The functions of the libraries that are on call stacks. */
#ifndef LIBRARIES_H
#define LIBRARIES_H

#include "base/diag.h"
#include "model/recorded.h"
#include "model/symtab.h"

/*
 * One table for each module of `recorded`, by its link-time addresses, in mem. That of a module is
 * empty if no stack is in it, it is the program, or no file at its path is the one that was loaded:
 * of the same build id or, without one, size. Notes tell of the latter. Stripped libraries have
 * what image_choice.unnamed gives. n log n in their symbols.
 */
const struct symtab *libraries_read(const struct recorded *recorded, struct arena *mem,
				    struct diag *diag);

#endif
