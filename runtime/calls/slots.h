/* SPDX-License-Identifier: MIT */
/*
 * The slots to which call sites of an object lead: words of its data with the address of a
 * function, by entries of the PLT or at once. They are numbered by eight bytes from the start of
 * the code, in both directions; a site has that number, and SLOTS_SLOT, as its callee, until it is
 * decided which sites are counted (sites.h).
 */
#ifndef CALLS_SLOTS_H
#define CALLS_SLOTS_H

#include <stddef.h>
#include <stdint.h>

#include "calls/code.h"
#include "calls/site.h"

enum {
	SLOTS_SLOT = SITES_CALLEES >> 1,              /* no function */
	SLOTS_NOTHING = SLOTS_SLOT | SLOTS_SLOT >> 1, /* no slot either */
	SLOTS_PLT = 1024
};

/* Of an entry of the PLT. */
struct slots_plt {
	uint32_t key;    /* how far it is from the start of the code, and 1; 0: none */
	uint32_t callee; /* its slot, as a site has it */
};

struct slots {
	int32_t first, last; /* that were asked for */
	struct slots_plt plt[SLOTS_PLT];
};

/* Of *slots all bytes are 0. */
void slots_begin(struct slots *slots);

/* How a site has a slot. SLOTS_NOTHING: it is 0, or not aligned, or too far away. */
uint32_t slots_number(struct slots *slots, const struct code *code, uintptr_t slot);

/* The same for the slot of the PLT entry at an address, if there is one. */
uint32_t slots_number_plt(struct slots *slots, const struct code *code, uintptr_t at);

/* The range of the slots that have numbers: *n of them from *first on. */
void slots_range(const struct slots *slots, int32_t *first, size_t *n);

/* The number of the slot to which a site leads, and where the slot of that number is. */
static inline int32_t slots_of(const struct site *site)
{
	enum { UNUSED = 3 /* bits: the sign is the one below SLOTS_SLOT */ };

	return (int32_t)((uint32_t)site->callee << UNUSED) >> UNUSED;
}

static inline uintptr_t slots_at(const struct code *code, int32_t number)
{
	const uintptr_t bytes = sizeof(uintptr_t);

	return (code->low / bytes + (uintptr_t)(intptr_t)number) * bytes;
}

#endif
