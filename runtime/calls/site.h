/* SPDX-License-Identifier: MIT */
/* What may be a call site: see scan.h, which finds them, and sites.h, which decides. */
#ifndef CALLS_SITE_H
#define CALLS_SITE_H

#include <stdint.h>

enum site_kind {
	SITE_CALL,        /* the distance of a call changes: its last four bytes */
	SITE_JUMP,        /* the same for a jump */
	SITE_CALL_MEMORY, /* FF 15 becomes a direct call */
	SITE_JUMP_MEMORY  /* FF 25 becomes a direct jump */
};

enum { SITES_CALLEES = 1 << 30 /* of an object: fewer than this */ };

struct site {
	uint32_t next;        /* the end of the instruction, from code->low */
	uint32_t callee : 30; /* what it leads to: its number */
	uint32_t kind : 2;    /* enum site_kind */
};

/* The address to which the four bytes before `next` lead, as a distance from there. */
static inline uintptr_t site_target(uintptr_t next)
{
	int32_t distance;

	__builtin_memcpy(&distance, (const void *)(next - sizeof(distance)), sizeof(distance));
	return next + (uintptr_t)(intptr_t)distance;
}

#endif
