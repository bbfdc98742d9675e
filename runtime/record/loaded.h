/* SPDX-License-Identifier: MIT */
/*
 * Reading the headers of a loaded object: where its code and its build id are. If another thread
 * unloads the object meanwhile, a call fails and does not fault (base/readable.h).
 * Async-signal-safe.
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
	uintptr_t dynamic; /* its dynamic section; 0: it has none */
};

/*
 * Reads the n program headers at `headers` of an object with this bias. Returns false if the object
 * has no code, or was unloaded.
 */
bool loaded_look(struct loaded *loaded, uintptr_t bias, uintptr_t headers, size_t n);

/* Does the same for the object whose ELF header is at `start`. */
bool loaded_look_at(struct loaded *loaded, uintptr_t bias, uintptr_t start);

/* Finds the first entry with a tag in an object's dynamic section. Returns false if there is none.
 */
bool loaded_find_dynamic(const struct loaded *loaded, intptr_t tag, uintptr_t *value);

#endif
