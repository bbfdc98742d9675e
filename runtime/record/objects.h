/* SPDX-License-Identifier: MIT */
/*
 * GMON=libs: the shared objects of the process, each of which gets a profile.
 *
 * Counts contain only addresses. So the list has only objects that had their addresses during the
 * whole recording: those of its start, and later ones if nothing has been unloaded since.
 *
 * Nothing here is async-signal-safe: the C library's loader takes a lock.
 */
#ifndef RECORD_OBJECTS_H
#define RECORD_OBJECTS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/program.h"

enum { MAX_OBJECTS = 512, OBJECT_NAME_BYTES = 128 };

struct object {
	/* where its code is; range.entry is its initialisation code, which stands for all callers
	 * that are in other objects */
	struct program range;
	char name[OBJECT_NAME_BYTES]; /* name of its file; a suffix makes it unique */
};

struct objects {
	size_t n;
	bool left_out; /* objects are missing: there are too many, or others may have had their
			  addresses */
	unsigned long long unloaded; /* how many objects were unloaded since the process began */
	struct object at[MAX_OBJECTS];
};

/*
 * With GMON=libs but not libs=ext: notes which objects are loaded. To be called before the program
 * runs.
 */
void objects_start(void);

/*
 * Returns the objects except the program, to be freed. NULL: they are not wanted, or there is no
 * memory.
 */
struct objects *objects_list(void);

void objects_free(struct objects *objects);

#endif
