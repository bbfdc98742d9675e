/* SPDX-License-Identifier: MIT */
/*
 * GMON=libs: the shared objects of the process, each of which gets a profile.
 *
 * Counts hold addresses alone. So the list has only objects whose addresses were theirs during the
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
	struct program range; /* entry: its initialisation code, for callers outside of it */
	char name[OBJECT_NAME_BYTES]; /* its file's name; a suffix makes it unique */
};

struct objects {
	size_t n;
	bool left_out; /* objects are missing: too many, or others may have had their addresses */
	unsigned long long unloaded; /* how many objects were, since the process began */
	struct object at[MAX_OBJECTS];
};

/* Before the program runs, with GMON=libs but not libs=ext: notes which objects are loaded. */
void objects_start(void);

/* The objects without the program, to be freed. NULL: not wanted, or no memory. */
struct objects *objects_list(void);

void objects_free(struct objects *objects);

#endif
