/* SPDX-License-Identifier: MIT */
/*
 * What memory says of an object that is loaded: its code, its build id. Memory is copied by the
 * kernel where it lets us, so an object that another thread unloads meanwhile is an error and no
 * fault. Async-signal-safe.
 */
#ifndef RECORD_LOADED_H
#define RECORD_LOADED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <gmon_ext.h>

/* Of an object: where it is, and its build id, in run-time addresses. */
struct loaded {
	uintptr_t bias; /* run-time less link-time address */
	uintptr_t low;  /* its code is in [low, high) */
	uintptr_t high;
	uintptr_t build_id; /* 0: it has none */
	uint32_t build_id_bytes;
};

/* Copies n bytes. False: there are none at `from`. */
bool loaded_copy(void *to, uintptr_t from, size_t n);

struct iovec;

/* Copies n pieces, one behind the other. False: one of them is not there. */
bool loaded_gather(void *to, const struct iovec *from, unsigned n);

struct text;

/*
 * Adds a string to a text, copied in pieces, which do not reach into memory behind it. False: it is
 * not there, or does not fit.
 */
bool loaded_string(struct text *text, uintptr_t from);

/*
 * By the program headers of an object, n of them at an address, and its bias. False: it has no
 * code, or is gone.
 */
bool loaded_look(struct loaded *loaded, uintptr_t bias, uintptr_t headers, size_t n);

/* The same by the header of the file, at the beginning of its memory. */
bool loaded_look_at(struct loaded *loaded, uintptr_t bias, uintptr_t start);

#endif
