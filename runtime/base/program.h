/* SPDX-License-Identifier: MIT */
/* Where the code of a program, or of a shared object, is in memory. Async-signal-safe. */
#ifndef BASE_PROGRAM_H
#define BASE_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The code of an object, in run-time addresses. */
struct program {
	uintptr_t bias;  /* run-time less link-time address */
	uintptr_t low;   /* first byte of the first executable segment */
	uintptr_t high;  /* the address after the last byte of the last executable segment */
	uintptr_t entry; /* the entry point, which is recorded for all callers outside of the
			    program */
};

/*
 * Sets low and high by the n program headers of an object whose bias is set. False: the object has
 * no code.
 */
bool program_segments(struct program *program, const void *headers, size_t n);

/* Finds the code of the process's program. False: it cannot be found. */
bool program_find(struct program *program);

/* Whether an address is between the first and the last code of an object. */
static inline bool program_has(const struct program *program, uintptr_t pc)
{
	return pc - program->low < program->high - program->low;
}

#endif
