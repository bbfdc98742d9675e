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
#ifndef RECORD_MODULES_H
#define RECORD_MODULES_H

#include <stdbool.h>
#include <stdint.h>

#include <gmon_ext.h>

/* Fewer than GMON_EXT_MODULES_MOST, for one that is none, and for CELL_OUTSIDE_NONE. */
enum { MODULES_ROOM = 4064 };

/* Before other threads exist: looks what is there. Not async-signal-safe. */
void modules_prepare(void);

/* Makes the block of records. False: no memory. After modules_prepare(), before other calls. */
bool modules_start(void);

/* Whether that was done. */
bool modules_on(void);

/* Whether a handler can find objects that come later. */
bool modules_can_find(void);

/*
 * At the end, if there are modules: looks for what a handler cannot find, and how many have gone
 * that nobody has met. Not async-signal-safe.
 */
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

/* Sees to it that the object that has its code at an address now has a record. */
void modules_meet(uintptr_t address);

/* Whether the object stays for ever: what modules_at() said of an address in it remains true. */
bool modules_stay(uint32_t module);

/* Run-time less link-time addresses of an object. */
uintptr_t modules_bias(uint32_t module);

/* How many records there are, which are numbered from 0, and a copy of one. */
uint32_t modules_number(void);
void modules_copy(uint32_t module, struct gmon_ext_module *copy);

/*
 * Brings the flags of records up to date: those whose objects are not there any more are unloaded,
 * and so are all but one of those that share addresses. Linear in records, but quadratic in those
 * that came later.
 */
void modules_check(void);

/* The first record of the object, of several that threads made at once; as of modules_check(). */
uint32_t modules_same(uint32_t module);

/* Whether the address was in the object. */
bool modules_covers(uint32_t module, uintptr_t address);

/* What an address that was in no object belongs to, by modules_end(): see modules_at(). */
uint32_t modules_guess(uintptr_t address);

/*
 * Which object an address was in, by the address alone: its number; GMON_EXT_NONE; or
 * MODULES_SEVERAL if several were there, or nobody can tell. As of modules_check(). Linear in the
 * objects that came later.
 */
uint32_t modules_was_at(uintptr_t address);

enum { MODULES_SEVERAL = 0x7fffffff };

#endif
