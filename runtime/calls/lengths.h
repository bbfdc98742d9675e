/* SPDX-License-Identifier: MIT */
/*
 * The lengths of x86-64 instructions, of many at once. A decoder (decode.h) cannot foresee what
 * comes next, so a processor waits at each instruction, either for the guess that went wrong or for
 * the length, without which the next one cannot be begun. Here tables take the place of decisions,
 * and four pieces of code, the lanes, are gone through in turn: while the processor waits for one,
 * it works on the others.
 *
 * What is found: where instructions begin, and which of them say something of other places: those
 * that lead there, and those that name an address. All else is only stepped over.
 * Async-signal-safe.
 */
#ifndef CALLS_LENGTHS_H
#define CALLS_LENGTHS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	LENGTHS_LANES = 4,
	LENGTHS_BYTES = 256,
	LENGTHS_OPCODES = 7 * LENGTHS_BYTES,
	LENGTHS_HEADS = 6 * LENGTHS_BYTES,
	LENGTHS_SLOTS = 32,   /* of events */
	LENGTHS_AHEAD = 16,   /* so many bytes from an instruction on are read, at most */
	LENGTHS_BOUNDARY = 64 /* bits of a word of marks */
};

/* What an event says: some of these, and the instruction's slot. */
enum {
	LENGTHS_SHORT = 3 << 3,  /* of a jump: its distance has 8 bits, so 24 less than others; */
	LENGTHS_MORE = 6,        /* from here on 3 bits: bytes of an immediate operand; */
	LENGTHS_JUMP = 1 << 9,   /* E9, 0F 8x, or with 8 bits of distance; no prefixes; */
	LENGTHS_CALL = 1 << 10,  /* E8 without prefixes */
	LENGTHS_OTHER = 1 << 11, /* decode() has to look: it has an operand of 64 bits, */
	LENGTHS_INDIRECT = 1 << 12, /* it is a call or jump through a register or memory, */
	LENGTHS_XBEGIN = 1 << 13,   /* or xbegin */
	LENGTHS_INT = 1 << 14,      /* there is an immediate operand of 32 bits, */
	LENGTHS_DISTANT = 1 << 15,  /* or an operand in memory has 32 bits of displacement, */
	LENGTHS_RIP = 1 << 16,      /* or is relative to rip */
	LENGTHS_LEA = 1 << 17,      /* lea */
	LENGTHS_UNKNOWN = 1 << 18,
	LENGTHS_SLOT = 23, /* from here on 5 bits */
	LENGTHS_AFTER = 28 /* from here on 4 bits: more bytes of that operand, and 1 */
};

struct lengths_event {
	uint32_t next; /* the lower half of the address behind the instruction */
	uint32_t what;
};

/* Tables. An instruction's first two bytes say how many come before its opcode, and in which table
 * that is looked up. */
struct lengths {
	uint32_t opcode[LENGTHS_OPCODES], modrm[LENGTHS_BYTES];
	uint16_t row[LENGTHS_BYTES], head[LENGTHS_HEADS];
	uint8_t sib[LENGTHS_BYTES];
};

/* A piece of code, [at, end); LENGTHS_AHEAD bytes behind `end` can be read. */
struct lengths_lane {
	const uint8_t *at, *end;
	uint32_t slot; /* for its events: below LENGTHS_SLOTS, times 1 << LENGTHS_SLOT */
	bool unknown;  /* lengths_run() does not know the instruction at `at` */
};

/* What is written down. */
struct lengths_notes {
	uint64_t *boundary; /* a bit for each byte from `base` on: an instruction begins */
	uintptr_t base;     /* a multiple of LENGTHS_BOUNDARY */
	/* The next instruction that leads elsewhere, and the next one with an address: LENGTHS_INT,
	 * LENGTHS_DISTANT, LENGTHS_RIP. Some are both. Up to LENGTHS_LANES more than the last ones
	 * may be written. */
	struct lengths_event *event, *last, *named, *last_named;
};

/* The address behind an event's instruction. */
static inline uintptr_t lengths_next(const struct lengths_notes *notes,
				     const struct lengths_event *event)
{
	return notes->base + (uint32_t)(event->next - (uint32_t)notes->base);
}

/* Where the instruction begins that ends at an address, and has been stepped over. */
static inline uintptr_t lengths_begin(const struct lengths_notes *notes, uintptr_t next)
{
	uintptr_t at = next - notes->base;

	do
		at--;
	while (!(notes->boundary[at / LENGTHS_BOUNDARY] >> at % LENGTHS_BOUNDARY & 1));
	return notes->base + at;
}

/*
 * Makes the tables. `short_addresses`: operands of 32 bits can name addresses in the code, so
 * instructions with LENGTHS_DISTANT and LENGTHS_INT are events; else nothing has these.
 */
void lengths_prepare(struct lengths *lengths, bool short_addresses);

/*
 * Steps through all n lanes, LENGTHS_LANES or 1, none of which is at its end, until one has come to
 * its end, or beyond, or meets an instruction that is not known, or there is room for no more
 * events. Sets `at` and `unknown`; events of a lane are in order.
 */
void lengths_run(const struct lengths *lengths, struct lengths_lane *lane, size_t n,
		 struct lengths_notes *notes);

#endif
