/* SPDX-License-Identifier: MIT */
/*
 * Which object an address lies in, and its call-frame information.
 *
 * Since 2.35 glibc tells it in a handler. Elsewhere, and where glibc knows no table, it is what was
 * found before the program ran; each time such an object is used in a walk it is looked at again,
 * as it may have been unloaded.
 */
#ifndef UNWIND_EH_OBJECTS_H
#define UNWIND_EH_OBJECTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/readable.h"
#include "unwind/ehframe.h"

enum { EH_STARTS = 256, EH_KNOWN = 16 };

/* What _dl_find_object() tells, and room for what later versions may. */
struct eh_found {
	unsigned long long flags;
	void *low, *high;
	struct link_map *map;
	void *header; /* .eh_frame_hdr, or NULL */
	unsigned long long more[12];
};

/* Found before the program ran. Constant from then on. */
struct eh_starts {
	int (*find)(void *address, struct eh_found *found); /* _dl_find_object(), or NULL */
	uintptr_t stack_top; /* above the first thread's stack; 0: unknown */
	/* The first instructions of the program, and of its loader: nothing has called them. */
	uintptr_t entry[2];
	uint32_t n;
	struct eh_object at[EH_STARTS]; /* where `find` tells of others, those that stay */
	bool stays[EH_STARTS];          /* it cannot be unloaded */
};

/* A thread's: the objects of its last walks. */
struct eh_objects {
	uint32_t walk;         /* number of this one */
	uint32_t last;         /* where the latest was found */
	uint32_t next;         /* to be replaced next */
	uint32_t in[EH_KNOWN]; /* the walk that has last found it where it is; 0: none */
	struct eh_object at[EH_KNOWN];
};

/*
 * What the process is made of, in memory that stays; NULL: no memory. Not async-signal-safe. Reads
 * the program's file if it has no table of its own (a static one).
 */
struct eh_starts *eh_objects_start(void);

/* At the start of a walk. */
void eh_objects_begin(struct eh_objects *objects);

/*
 * The object in which an address lies, until the walk ends; NULL: none is known. One without
 * call-frame information has n == 0.
 */
const struct eh_object *eh_objects_find(struct eh_objects *objects, const struct eh_starts *starts,
					struct readable *readable, uintptr_t at);

#endif
