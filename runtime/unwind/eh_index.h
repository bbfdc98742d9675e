/* SPDX-License-Identifier: MIT */
/* A search table for programs whose linker made no .eh_frame_hdr, such as static ones. */
#ifndef UNWIND_EH_INDEX_H
#define UNWIND_EH_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "unwind/ehframe.h"

/*
 * Makes the table of the process's own program, which ehframe_open() has opened, from the .eh_frame
 * that the section headers of /proc/self/exe name. `bias` and the n program headers, a copy, are
 * those of the program. The table is never freed. False: no .eh_frame, or no memory. Takes O(n log
 * n) for functions nearly in order of their addresses, as linkers leave them.
 */
bool eh_index_make(struct eh_object *program, struct readable *readable, uintptr_t bias,
		   const void *headers, size_t n);

#endif
