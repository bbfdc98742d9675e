/* SPDX-License-Identifier: MIT */
/*
 * The objects in whose code samples lie: program, shared libraries, vdso. Each has a record, struct
 * gmon_ext_module, in a block (see gmon_live.h), and keeps it when it is unloaded; an object that
 * takes its place has another. So an address and the number of its module say what it was, whatever
 * lies there later.
 *
 * Those that are there at the start are believed to stay, and are found by their addresses alone.
 * Later ones are found by _dl_find_object(), which is async-signal-safe, and are recognized by what
 * they are and are called, each time. Without that function (other C libraries, and GNU's before
 * 2.35) later ones are found at the end only, if nothing was unloaded.
 *
 * Async-signal-safe, and without locks, but for what says otherwise.
 */
#ifndef MODULES_H
#define MODULES_H

#include <stdbool.h>
#include <stdint.h>

#include <gmon_ext.h>

enum { MODULES_ROOM = 4096 };

/* Before other threads exist: looks what is there. Not async-signal-safe. */
void modules_prepare(void);

/* Makes the block of records. False: no memory. After modules_prepare(), before other calls. */
bool modules_start(void);

/* At the end: looks for what a handler cannot find. Not async-signal-safe. */
void modules_end(void);

/* The newest answer of modules_at(), for the rest of a stack; zero before the first. */
struct modules_recent {
	uintptr_t low, high;
	uint32_t module;
};

/*
 * The number of the object that has its code at an address now, or GMON_EXT_NONE: there is none, or
 * no room for its record.
 */
uint32_t modules_at(uintptr_t address, struct modules_recent *recent);

/* Whether the object stays for ever: what modules_at() said of an address in it remains true. */
bool modules_stay(uint32_t module);

/* Run-time less link-time addresses of an object. */
uintptr_t modules_bias(uint32_t module);

/* How many records there are, which are numbered from 0, and a copy of one. */
uint32_t modules_number(void);
void modules_copy(uint32_t module, struct gmon_ext_module *copy);

/* Sets GMON_EXT_UNLOADED in the records of those whose objects are not there any more. */
void modules_check(void);

/* What an address that was in no object belongs to, by modules_end(): see modules_at(). */
uint32_t modules_guess(uintptr_t address);

#endif
