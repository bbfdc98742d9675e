/* SPDX-License-Identifier: MIT */
/*
 * GMON=libs: the shared objects in the process, for a profile of each.
 *
 * Counts hold addresses, and tell nothing of what lay there when. So a list holds only objects that
 * have lain where they are for the whole recording: those of its start, and the later ones if
 * nothing has been unloaded since.
 *
 * Nothing here is async-signal-safe: the C library's loader is asked, which has a lock.
 */
#ifndef RECORD_OBJECTS_H
#define RECORD_OBJECTS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/program.h"

enum { MAX_OBJECTS = 512, OBJECT_NAME_BYTES = 128 };

struct object {
	struct program place; /* entry: its initialisation, which stands for callers outside */
	char name[OBJECT_NAME_BYTES]; /* the last part, made different from those before it */
};

struct objects {
	size_t n;
	bool left_out; /* some were, as others may have been in their place, or as they are too many
			*/
	unsigned long long unloaded; /* objects, since the process began */
	struct object at[MAX_OBJECTS];
};

/* Before the program runs, if GMON says libs, but not libs=ext: notes what is there. */
void objects_start(void);

/* The objects but for the program, or NULL: nobody asked, or no memory. For objects_free(). */
struct objects *objects_list(void);

void objects_free(struct objects *objects);

#endif
