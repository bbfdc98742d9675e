/* SPDX-License-Identifier: MIT */
/*
 * glibc's _dl_find_object(), since 2.35: the object at an address. It is async-signal-safe and
 * takes no lock; what it has found may be unloaded at any moment. find_object is NULL where the C
 * library has no such function. It is declared here for headers that lack it.
 */
#ifndef UNWIND_FIND_OBJECT_H
#define UNWIND_FIND_OBJECT_H

#include <stdint.h>

struct find_object {
	unsigned long long flags;
	uintptr_t low, high;         /* the object's memory: [low, high) */
	uintptr_t map;               /* the loader's record of it, a struct link_map */
	uintptr_t header;            /* .eh_frame_hdr (on ARM .ARM.exidx), or 0 */
	unsigned long long more[12]; /* room for what later versions fill in */
};

/* 0: found. -1: no object lies at the address. */
extern int find_object(uintptr_t address, struct find_object *found) __asm__("_dl_find_object")
	__attribute__((weak));

#endif
