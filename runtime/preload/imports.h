/* SPDX-License-Identifier: MIT */
/*
 * Slots: the words of a loaded object by which it calls functions of others. The loader has filled
 * them in; here some are changed, so that we are called first. Who does not ask for that calls as
 * before, and nothing is slower:
 *
 *   before   call *slot ──> pthread_cond_signal()
 *   after    call *slot ──> ours ──> pthread_cond_signal()
 *
 * In the shared library for x86-64 only.
 */
#ifndef PRELOAD_IMPORTS_H
#define PRELOAD_IMPORTS_H

#include <link.h>
#include <stddef.h>
#include <stdint.h>

/* A function that is taken over. */
struct imports_function {
	const char *name;
	const char *other; /* the version of another function of that name; NULL: there is none */
	uintptr_t behind;  /* the function itself; 0: there is none */
	uintptr_t ours;    /* is called instead of it */
};

/*
 * Has an object call ours instead of n functions. Slots that lead elsewhere stay. Linear in the
 * object's relocations. Not async-signal-safe: the object must not be unloaded meanwhile, as in a
 * callback of dl_iterate_phdr(). Other threads may call by its slots.
 */
void imports_lead(const struct dl_phdr_info *info, const struct imports_function *functions,
		  size_t n);

#endif
