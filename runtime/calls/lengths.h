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
	LENGTHS_TABLES = 10,    /* of opcodes, */
	LENGTHS_FIRST = 8,      /* kinds of first bytes, */
	LENGTHS_ROWS = 20,      /* and what may follow an opcode */
	LENGTHS_SLOTS = 32,     /* of events */
	LENGTHS_AHEAD = 16,     /* so many bytes from an instruction on are read, at most */
	LENGTHS_MOST = 1 << 22, /* a piece of code has fewer bytes */
	LENGTHS_BOUNDARY = 64   /* bits of a word of marks */
};

/* What an event says: some of these, and the instruction's slot. */
enum {
	LENGTHS_BEHIND = 7,        /* so many bytes are behind a displacement of 32 bits; */
	LENGTHS_EVENT = 1 << 3,    /* always; */
	LENGTHS_JUMP = 1 << 12,    /* E9, 0F 8x, or with 8 bits of distance; no prefixes; */
	LENGTHS_CALL = 1 << 13,    /* E8 without prefixes; */
	LENGTHS_OTHER = 1 << 14,   /* decode() has to look: it has an operand of 64 bits, is a call
				      or jump through a register or memory, or xbegin; */
	LENGTHS_INT = 1 << 15,     /* there is an immediate operand of 32 bits, */
	LENGTHS_DISTANT = 1 << 16, /* or an operand in memory has 32 bits of displacement, */
	LENGTHS_RIP = 1 << 17,     /* or is relative to rip */
	LENGTHS_LEA = 1 << 18,     /* lea */
	LENGTHS_SHORT = 3 << 19,   /* of a jump: its distance has 8 bits */
	LENGTHS_SLOT = 22          /* from here on 5 bits */
};

struct lengths_event {
	uint32_t next; /* the lower half of the address behind the instruction */
	uint32_t what;
};

/*
 * Tables. An instruction's first two bytes say how many come before its opcode, and in which table
 * that is looked up; the opcode says in which row of `word` the byte behind it is. That word has
 * the length from the opcode on, twice: if the byte after it were a SIB byte that says so, the
 * second is right. It also has what an event says.
 */
struct lengths {
	uint32_t word[LENGTHS_ROWS * LENGTHS_BYTES];
	uint16_t shape[LENGTHS_TABLES * LENGTHS_BYTES], head[LENGTHS_FIRST * LENGTHS_BYTES];
	uint16_t first[LENGTHS_BYTES];
	uint8_t sib[LENGTHS_BYTES];
};

/* A piece of code, [at, end), of less than LENGTHS_MOST bytes; LENGTHS_AHEAD behind `end` can be
 * read. */
struct lengths_lane {
	const uint8_t *at, *end;
	uint32_t slot; /* for its events: below LENGTHS_SLOTS, times 1 << LENGTHS_SLOT */
	bool unknown;  /* lengths_run() does not know the instruction at `at` */
};

/* What is written down. */
struct lengths_notes {
	uint64_t *boundary; /* a bit for each byte from `base` on: an instruction begins */
	uintptr_t base;     /* a multiple of LENGTHS_BOUNDARY */
	/* The next instruction that leads elsewhere, or has an address. Up to LENGTHS_LANES more
	 * than the last one may be written. */
	struct lengths_event *event, *last;
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

/* Whether an instruction with an event has an address: 0, if not. */
static inline uint32_t lengths_names(uint32_t what)
{
	return what & (LENGTHS_INT | LENGTHS_DISTANT | LENGTHS_RIP);
}

/* Whether it leads elsewhere. */
static inline uint32_t lengths_leads(uint32_t what)
{
	return what & (LENGTHS_JUMP | LENGTHS_CALL | LENGTHS_OTHER);
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
