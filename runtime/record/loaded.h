/* SPDX-License-Identifier: MIT */
/*
 * Reading the headers of a loaded object: where its code and its build id are. The kernel copies
 * the memory, if a filter of system calls does not forbid it; so if another thread unloads the
 * object meanwhile, a call fails and does not fault. Async-signal-safe.
 */
#ifndef RECORD_LOADED_H
#define RECORD_LOADED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <gmon_ext.h>

/* An object; all addresses are run-time addresses. */
struct loaded {
	uintptr_t bias; /* run-time less link-time address */
	uintptr_t low;  /* its code is in [low, high) */
	uintptr_t high;
	uintptr_t build_id; /* 0: it has none */
	uint32_t build_id_bytes;
};

/* Copies n bytes. False: they are not all readable. */
bool loaded_copy(void *to, uintptr_t from, size_t n);

struct iovec;

/* Copies n pieces of memory, one after the other. False: one of them is not readable. */
bool loaded_gather(void *to, const struct iovec *from, unsigned n);

struct text;

/*
 * Appends the string at an address to a text; reads no page after the string's last one. Returns
 * false if the string is not readable, or does not fit.
 */
bool loaded_string(struct text *text, uintptr_t from);

/*
 * Reads the n program headers at `headers` of an object with this bias. Returns false if the object
 * has no code, or was unloaded.
 */
bool loaded_look(struct loaded *loaded, uintptr_t bias, uintptr_t headers, size_t n);

/* Does the same for the object whose ELF header is at `start`. */
bool loaded_look_at(struct loaded *loaded, uintptr_t bias, uintptr_t start);

#endif
