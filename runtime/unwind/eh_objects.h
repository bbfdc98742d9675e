/* SPDX-License-Identifier: MIT */
/*
 * The object (program, library, vdso) at an address, and its call-frame information.
 *
 * Objects of the program's start are listed before it runs; C libraries never unload them, unless
 * they were loaded by dlopen() even before. Later ones are found by _dl_find_object(), if the C
 * library has it (find_object.h), and are recognized by their fingerprint once in each walk.
 */
#ifndef UNWIND_EH_OBJECTS_H
#define UNWIND_EH_OBJECTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/readable.h"
#include "unwind/ehframe.h"
#include "unwind/find_object.h"

enum { EH_STARTS = 256, EH_KNOWN = 16 };

/* The process before the program runs. Constant from then on. */
struct eh_starts {
	uintptr_t stack_top; /* above the first thread's stack; 0: unknown */
	uintptr_t entry[2];  /* the first instructions of program and loader: nothing calls them */
	uintptr_t thread;    /* the first thread's control block */
	uint32_t n;
	struct eh_object at[EH_STARTS]; /* the first n objects that have a table */
	bool stays[EH_STARTS];          /* that object certainly is never unloaded */
};

/* Memory for the headers of an object: its first page. */
struct eh_headers {
	_Alignas(16) unsigned char bytes[READABLE_PAGE];
};

/* A thread's cache of the later objects that its walks met last. */
struct eh_objects {
	uint32_t walk;                /* number of the current walk, from 1 */
	uint32_t next;                /* index of the entry to replace next */
	const struct eh_object *last; /* the latest answer in this walk, or NULL */
	uint32_t in[EH_KNOWN];        /* the last walk that found the entry valid; 0: none */
	struct eh_object at[EH_KNOWN];
	struct eh_headers headers;
};

/*
 * Lists the objects of the process, in memory that is never freed. NULL: no memory. To be called in
 * the first thread; not async-signal-safe. Reads the program's file if the program has no table
 * (eh_index.h).
 */
struct eh_starts *eh_objects_start(void);

/* Begins a walk: entries of the cache have to be checked again. */
void eh_objects_begin(struct eh_objects *objects);

/*
 * The object at an address, valid until the walk ends. NULL: none is known. One without call-frame
 * information has n == 0.
 */
const struct eh_object *eh_objects_find(struct eh_objects *objects, const struct eh_starts *starts,
					uintptr_t at);

#endif
