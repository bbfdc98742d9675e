/* SPDX-License-Identifier: MIT */
/*
 * The records of modules: the objects (program, shared libraries, vdso) in whose code samples lie.
 * Each has a struct gmon_ext_module in a block (see gmon_live.h), and keeps it when it is unloaded;
 * an object that is loaded at its addresses later has another. So a pair of address and module
 * number stays unambiguous.
 *
 * Objects that are loaded at the start are taken to stay, and are found by their addresses alone.
 * Later ones are found by _dl_find_object() and recognized anew each time (identity.h). Where the C
 * library lacks that function, later ones are found only at the end, if nothing was unloaded.
 *
 * Async-signal-safe, without locks, where nothing else is said.
 */
#ifndef RECORD_MODULES_H
#define RECORD_MODULES_H

#include <stdbool.h>
#include <stdint.h>

#include <gmon_ext.h>

/* Fewer than GMON_EXT_MODULES_MOST: room for "[unloaded]" and for CELL_OUTSIDE_NONE. */
enum { MODULES_ROOM = 4064 };

/* To be called before other threads exist: lists the loaded objects. Not async-signal-safe. */
void modules_prepare(void);

/*
 * Makes the block of records. To be called after modules_prepare(), before all other functions.
 * Returns false if there is no memory.
 */
bool modules_start(void);

/* Whether the block was made. */
bool modules_on(void);

/* Whether a handler can find objects that are loaded after the start. */
bool modules_can_find(void);

/*
 * At the end of the recording: adds objects that handlers could not find, and counts those that
 * were unloaded before they got a record. Does nothing if there is no block. Not async-signal-safe.
 */
void modules_end(void);

/*
 * The last result of modules_at(), which makes the next call on the same stack faster; zero before
 * the first call.
 */
struct modules_recent {
	uintptr_t low, high;
	uint32_t module;
};

/*
 * Returns the number of the module whose code is at an address now, which is added if it is new;
 * GMON_EXT_NONE if there is none, or no room for its record.
 */
uint32_t modules_at(uintptr_t address, struct modules_recent *recent);

/* modules_at() for one address alone. */
uint32_t modules_meet(uintptr_t address);

/* Whether a module is never unloaded, so that results of modules_at() in it remain true. */
bool modules_stay(uint32_t module);

/* The bias of a module: run-time minus link-time address. */
uintptr_t modules_bias(uint32_t module);

/* Number of records, which are numbered from 0; and a copy of one. */
uint32_t modules_number(void);
void modules_copy(uint32_t module, struct gmon_ext_module *copy);

/*
 * Updates GMON_EXT_UNLOADED in all records: it is set for objects that are gone, and for all but
 * one of those that share addresses. Linear in the records, quadratic in those of later objects.
 */
void modules_check(void);

/*
 * If threads made several records of one object at the same time, returns the first of them, as
 * found by the last modules_check().
 */
uint32_t modules_same(uint32_t module);

/* Whether an address is in the code of a module. */
bool modules_covers(uint32_t module, uintptr_t address);

/*
 * Returns the module that modules_end() added for an address that was in no module before; or
 * GMON_EXT_NONE.
 */
uint32_t modules_guess(uintptr_t address);

/*
 * Returns the module in which an address was, found by the address alone; GMON_EXT_NONE if there
 * was none; MODULES_SEVERAL if there were several, or if it is not known. As of the last
 * modules_check(). Linear in the objects loaded after the start.
 */
uint32_t modules_was_at(uintptr_t address);

enum { MODULES_SEVERAL = 0x7fffffff };

#endif
