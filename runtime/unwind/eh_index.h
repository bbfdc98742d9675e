/* SPDX-License-Identifier: MIT */
/* A table of call-frame information for a program whose linker has left it out, as static ones. */
#ifndef UNWIND_EH_INDEX_H
#define UNWIND_EH_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "unwind/ehframe.h"

/*
 * Gives the process's program, opened by ehframe_open(), a table in memory that stays, from the
 * .eh_frame that the section headers of its file name. `bias` and the n program headers are those
 * of the program. False: there is none, or no memory. O(n log n) of its functions, usually O(n).
 */
bool eh_index_make(struct eh_object *program, uintptr_t bias, const void *headers, size_t n);

#endif
