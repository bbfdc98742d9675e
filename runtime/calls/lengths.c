/* SPDX-License-Identifier: MIT */
/* The lengths of many x86-64 instructions. See lengths.h. */
#include "calls/lengths.h"

#include "calls/decode.h"

/*
 * In a word of `opcode` and, where the opcode has that, of `modrm`, beside what events say:
 *
 *     bits 0 to 2    ModRM and what it says follows: bytes
 *     bit 5          if SIB decides whether there are four bytes more; LENGTHS_SHORT is below it
 *     bits 6 to 8    LENGTHS_MORE, if the first two opcodes in ModRM have an operand
 *     bits 28 to 31  LENGTHS_AFTER: the opcode, and its immediate operand
 *
 * Both words together say what an instruction has: what only one of them has is not there.
 */
enum {
	LENGTHS_MODRM = 0x07,
	LENGTHS_SIB = 3,
	LENGTHS_SIB_BITS = 0x38,
	LENGTHS_MORE_BITS = 0x1c0,
	LENGTHS_FIELD = 7,
	/* Of an unknown opcode; it is taken for one byte long, so the instruction has one. */
	LENGTHS_STOP = LENGTHS_UNKNOWN | 1 << LENGTHS_AFTER,
	/* From the opcode alone: */
	LENGTHS_OPCODE = LENGTHS_JUMP | LENGTHS_CALL | LENGTHS_OTHER | LENGTHS_INT |
			 LENGTHS_UNKNOWN | LENGTHS_LEA | LENGTHS_SHORT | (int)0xf0000000,
	LENGTHS_LEADS = LENGTHS_JUMP | LENGTHS_CALL | LENGTHS_OTHER | LENGTHS_INDIRECT |
			LENGTHS_XBEGIN | LENGTHS_UNKNOWN,
	LENGTHS_NAMES = LENGTHS_INT | LENGTHS_DISTANT | LENGTHS_RIP,
	/* In `head`: */
	LENGTHS_BEFORE = 0x03, /* bytes before the opcode */
	LENGTHS_TABLE = 0xf00, /* where its table begins */
	LENGTHS_PLAIN = 0 * LENGTHS_BYTES,
	LENGTHS_ESCAPED = 1 * LENGTHS_BYTES,  /* after 0F */
	LENGTHS_REX = 2 * LENGTHS_BYTES,      /* after REX */
	LENGTHS_WIDE = 3 * LENGTHS_BYTES,     /* with REX.W */
	LENGTHS_SMALL = 4 * LENGTHS_BYTES,    /* after 66 */
	LENGTHS_PREFIXED = 5 * LENGTHS_BYTES, /* after another prefix, or any and REX */
	LENGTHS_BEHIND = 6 * LENGTHS_BYTES,   /* after any of them and 0F */
	/* Rows of `head`, by the first byte: none of those, 0F, REX, REX.W, 66, another prefix. */
	LENGTHS_ROWS = 6
};

/* The word of an opcode that decode_shape() describes. */
static uint32_t lengths_opcode(char shape, unsigned table, bool short_addresses)
{
	const bool wide = table == LENGTHS_WIDE, small = table == LENGTHS_SMALL;
	const bool any = table == LENGTHS_PREFIXED;
	const uint32_t has_int = short_addresses && !small ? LENGTHS_INT : 0;
	const uint32_t has_modrm = LENGTHS_MODRM | LENGTHS_SIB_BITS | LENGTHS_RIP | LENGTHS_DISTANT;
	const uint32_t four = (small ? 3U : 5U) << LENGTHS_AFTER, none = 1U << LENGTHS_AFTER;

	switch (shape) {
	case '.':
		return none;
	case 'b':
		return 2U << LENGTHS_AFTER;
	case 'j':
		return table == LENGTHS_PLAIN ? 2U << LENGTHS_AFTER | LENGTHS_JUMP | LENGTHS_SHORT
					      : LENGTHS_STOP;
	case 'J':
		return table == LENGTHS_PLAIN || table == LENGTHS_ESCAPED
			       ? 5U << LENGTHS_AFTER | LENGTHS_JUMP
			       : LENGTHS_STOP;
	case 'm':
		return none | has_modrm;
	case 'B':
		return 2U << LENGTHS_AFTER | has_modrm;
	case '6':
		return none | has_modrm | 1U << LENGTHS_MORE;
	case '7':
		return any ? LENGTHS_STOP
			   : none | has_modrm | has_int | (small ? 2U : 4U) << LENGTHS_MORE;
	case 'z':
	case 'Z':
		return any ? LENGTHS_STOP : four | has_int | (shape == 'Z' ? has_modrm : 0);
	case 'v':
		return any    ? LENGTHS_STOP
		       : wide ? 9U << LENGTHS_AFTER | LENGTHS_OTHER
			      : four | has_int;
	default:
		return LENGTHS_STOP;
	}
}

static void lengths_prepare_opcodes(struct lengths *lengths, bool short_addresses)
{
	/* Prefixes, escapes, vectors; whether XOP is one depends on what follows. */
	static const uint8_t unknown[] = { 0x0f, 0x26, 0x2e, 0x36, 0x3e, 0x62, 0x64, 0x65,
					   0x66, 0x67, 0x8f, 0xc4, 0xc5, 0xf0, 0xf2, 0xf3 };

	for (unsigned table = 0; table < LENGTHS_OPCODES; table += LENGTHS_BYTES) {
		const bool escaped = table == LENGTHS_ESCAPED || table == LENGTHS_BEHIND;
		uint32_t *opcode = lengths->opcode + table;

		for (unsigned i = 0; i < LENGTHS_BYTES; i++)
			opcode[i] = lengths_opcode(decode_shape(escaped, (uint8_t)i), table,
						   short_addresses);
		if (escaped) {
			opcode[0x38] = opcode[0x3a] = LENGTHS_STOP;
			opcode[0xae] = LENGTHS_STOP; /* wrfsbase */
			continue;
		}
		for (unsigned i = 0; i < LENGTHS_BYTES; i++)
			if ((i & 0xf0) == 0x40)
				opcode[i] = LENGTHS_STOP;
		for (size_t i = 0; i < sizeof(unknown); i++)
			opcode[unknown[i]] = LENGTHS_STOP;
		opcode[0x8d] |= LENGTHS_LEA;
		opcode[0xc7] |= LENGTHS_XBEGIN;
		opcode[0xff] |= LENGTHS_INDIRECT;
	}
	lengths->opcode[0xe8] ^= LENGTHS_CALL | LENGTHS_JUMP;
}

static void lengths_prepare_modrm(struct lengths *lengths, bool short_addresses)
{
	for (unsigned i = 0; i < LENGTHS_BYTES; i++) {
		const unsigned mode = i >> 6, rm = i & 7, number = i >> 3 & 7;
		const bool has_sib = mode != 3 && rm == 4, relative = mode == 0 && rm == 5;
		uint32_t bytes = 1 + has_sib + (mode == 1) + 4 * (mode == 2 || relative);

		if (number < 2)
			bytes |= LENGTHS_MORE_BITS;
		else if (number < 6)
			bytes |= LENGTHS_INDIRECT;
		if (has_sib && mode == 0)
			bytes |= 4U << LENGTHS_SIB;
		if (relative)
			bytes |= LENGTHS_RIP;
		if (short_addresses && (mode == 2 || (has_sib && mode == 0)))
			bytes |= LENGTHS_DISTANT;
		if (i == 0xf8)
			bytes |= LENGTHS_XBEGIN;
		lengths->modrm[i] = bytes;
		lengths->sib[i] = (i & 7) == 5 ? 4 : 0;
	}
}

/* Fills in the row of `head` for a first byte, which is an opcode where nothing else is said. */
static void lengths_prepare_row(struct lengths *lengths, unsigned row, unsigned table)
{
	uint16_t *head = lengths->head + row * LENGTHS_BYTES;
	const bool legacy = table == LENGTHS_SMALL || table == LENGTHS_PREFIXED;

	for (unsigned i = 0; i < LENGTHS_BYTES; i++) {
		head[i] = (uint16_t)(table + (table != LENGTHS_PLAIN));
		if (table == LENGTHS_PLAIN || table == LENGTHS_ESCAPED)
			continue;
		if (i == 0x0f)
			head[i] = LENGTHS_BEHIND + 2;
		else if (legacy && (i & 0xf0) == 0x40)
			head[i] = LENGTHS_PREFIXED + 2;
	}
}

void lengths_prepare(struct lengths *lengths, bool short_addresses)
{
	static const uint16_t tables[LENGTHS_ROWS] = { LENGTHS_PLAIN, LENGTHS_ESCAPED,
						       LENGTHS_REX,   LENGTHS_WIDE,
						       LENGTHS_SMALL, LENGTHS_PREFIXED };
	static const uint8_t prefixes[] = { 0x2e, 0x64, 0xf2, 0xf3 };

	lengths_prepare_opcodes(lengths, short_addresses);
	lengths_prepare_modrm(lengths, short_addresses);
	for (unsigned i = 0; i < LENGTHS_ROWS; i++)
		lengths_prepare_row(lengths, i, tables[i]);
	for (unsigned i = 0; i < LENGTHS_BYTES; i++)
		lengths->row[i] = (i & 0xf8) == 0x40   ? LENGTHS_REX
				  : (i & 0xf8) == 0x48 ? LENGTHS_WIDE
						       : LENGTHS_PLAIN;
	lengths->row[0x0f] = LENGTHS_ESCAPED;
	lengths->row[0x66] = LENGTHS_SMALL;
	for (size_t i = 0; i < sizeof(prefixes); i++)
		lengths->row[prefixes[i]] = LENGTHS_PREFIXED;
}

/* Notes the instruction at an address, without a decision; returns where the next one begins. */
static inline const uint8_t *lengths_step(const struct lengths *lengths, const uint8_t *at,
					  uint32_t slot, struct lengths_notes *notes, uint32_t *all)
	__attribute__((always_inline));
static inline const uint8_t *lengths_step(const struct lengths *lengths, const uint8_t *at,
					  uint32_t slot, struct lengths_notes *notes, uint32_t *all)
{
	const uint32_t head = lengths->head[(size_t)lengths->row[at[0]] + at[1]];
	const size_t before = head & LENGTHS_BEFORE;
	const uint32_t opcode = lengths->opcode[(head & LENGTHS_TABLE) + at[before]];
	const uint32_t both = opcode & lengths->modrm[at[before + 1]];
	const size_t length = before + (opcode >> LENGTHS_AFTER) + (both & LENGTHS_MODRM) +
			      (both >> LENGTHS_MORE & LENGTHS_FIELD) +
			      (both >> LENGTHS_SIB & lengths->sib[at[before + 2]]);
	const uint32_t what = both | (opcode & (uint32_t)LENGTHS_OPCODE);
	const uint8_t *next = at + length;
	const struct lengths_event event = { (uint32_t)(uintptr_t)next, what + slot };

	notes->boundary[(uintptr_t)at / LENGTHS_BOUNDARY] |= UINT64_C(1)
							     << (uintptr_t)at % LENGTHS_BOUNDARY;
	*notes->event = event;
	notes->event += (what & LENGTHS_LEADS) != 0;
	*notes->named = event;
	notes->named += (what & LENGTHS_NAMES) != 0;
	*all |= opcode;
	return next;
}

/* If the last event of a lane is an unknown instruction, that is where the lane is, and it is none.
 */
static void lengths_stop(struct lengths_lane *lane, size_t n, struct lengths_event *event,
			 const struct lengths_notes *notes)
{
	for (size_t i = 0; i < n && event-- > notes->event; i++) {
		for (size_t k = 0; k < n && event->what & LENGTHS_UNKNOWN; k++)
			if ((event->what >> LENGTHS_SLOT) % LENGTHS_SLOTS ==
			    lane[k].slot >> LENGTHS_SLOT) {
				lane[k].unknown = true;
				lane[k].at = (const uint8_t *)lengths_begin(
					notes, lengths_next(notes, event));
				event->what = lane[k].slot | 1U << LENGTHS_AFTER;
			}
	}
}

static uint32_t lengths_run_one(const struct lengths *lengths, struct lengths_lane *lane,
				struct lengths_notes *notes)
{
	const uint8_t *at = lane->at;
	uint32_t all = 0;

	do
		at = lengths_step(lengths, at, lane->slot, notes, &all);
	while (!(all & LENGTHS_UNKNOWN) && at < lane->end && notes->event < notes->last &&
	       notes->named < notes->last_named);
	lane->at = at;
	return all;
}

static uint32_t lengths_run_all(const struct lengths *lengths, struct lengths_lane *lane,
				struct lengths_notes *notes)
{
	const uint8_t *at0 = lane[0].at, *at1 = lane[1].at, *at2 = lane[2].at, *at3 = lane[3].at;
	uint32_t all = 0;

	do {
		at0 = lengths_step(lengths, at0, lane[0].slot, notes, &all);
		at1 = lengths_step(lengths, at1, lane[1].slot, notes, &all);
		at2 = lengths_step(lengths, at2, lane[2].slot, notes, &all);
		at3 = lengths_step(lengths, at3, lane[3].slot, notes, &all);
	} while (!(all & LENGTHS_UNKNOWN) && at0 < lane[0].end && at1 < lane[1].end &&
		 at2 < lane[2].end && at3 < lane[3].end && notes->event < notes->last &&
		 notes->named < notes->last_named);
	lane[0].at = at0;
	lane[1].at = at1;
	lane[2].at = at2;
	lane[3].at = at3;
	return all;
}

void lengths_run(const struct lengths *lengths, struct lengths_lane *lane, size_t n,
		 struct lengths_notes *notes)
{
	/* Words are counted from address 0, which saves a subtraction. */
	struct lengths_notes from_zero = *notes;
	uint32_t all;

	from_zero.boundary = (uint64_t *)((uintptr_t)notes->boundary -
					  notes->base / LENGTHS_BOUNDARY * sizeof(uint64_t));
	for (size_t i = 0; i < n; i++)
		lane[i].unknown = false;
	all = n == LENGTHS_LANES ? lengths_run_all(lengths, lane, &from_zero)
				 : lengths_run_one(lengths, lane, &from_zero);
	if (all & LENGTHS_UNKNOWN)
		lengths_stop(lane, n, from_zero.event, notes);
	notes->event = from_zero.event;
	notes->named = from_zero.named;
}
