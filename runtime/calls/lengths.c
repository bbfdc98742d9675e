/* SPDX-License-Identifier: MIT */
/* The lengths of many x86-64 instructions. See lengths.h. */
#include "calls/lengths.h"

#include "calls/decode.h"

/*
 * In a word, beside what events say:
 *
 *     bits 4 to 7    the length from the opcode on
 *     bits 8 to 11   the same, if a SIB byte says that four more bytes follow
 *     bit 31         of an unknown instruction: makes its length, by either shift, one that no
 *                    piece of code has, so that its lane is at its end
 */
enum {
	LENGTHS_LENGTH = 4,
	LENGTHS_LONGER = 8,
	LENGTHS_FIELD = 15,
	LENGTHS_STOP = 31,
	LENGTHS_STEP = LENGTHS_FIELD | 1 << (LENGTHS_STOP - LENGTHS_LENGTH) |
		       1 << (LENGTHS_STOP - LENGTHS_LONGER),
	LENGTHS_BEYOND = 1 << (LENGTHS_STOP - LENGTHS_LONGER), /* both are multiples of this */
	/* In `head`: */
	LENGTHS_BEFORE = 0x0f,  /* bytes before the opcode */
	LENGTHS_TABLE = 0xff00, /* where its table begins: */
	LENGTHS_PLAIN = 0 * LENGTHS_BYTES,
	LENGTHS_ESCAPED = 1 * LENGTHS_BYTES,  /* after 0F */
	LENGTHS_REX = 2 * LENGTHS_BYTES,      /* after REX */
	LENGTHS_WIDE = 3 * LENGTHS_BYTES,     /* with REX.W */
	LENGTHS_SMALL = 4 * LENGTHS_BYTES,    /* after 66 */
	LENGTHS_PREFIXED = 5 * LENGTHS_BYTES, /* after another prefix, or any and REX */
	LENGTHS_AFTER = 6 * LENGTHS_BYTES,    /* after any of them and 0F */
	LENGTHS_VECTOR = 7 * LENGTHS_BYTES,   /* VEX: three maps */
};

_Static_assert(sizeof(struct lengths_event) == LENGTHS_EVENT, "what is added to a pointer");
_Static_assert(LENGTHS_BEYOND >= 2 * (int)LENGTHS_MOST, "no piece of code is as long");

/* What may follow an opcode, and what that says. */
enum lengths_row {
	LENGTHS_UNKNOWN,
	LENGTHS_NONE,
	LENGTHS_BYTE, /* 8 bits */
	LENGTHS_JUMP_SHORT,
	LENGTHS_JUMP_FAR,
	LENGTHS_CALL_FAR,
	LENGTHS_FOUR, /* 32 bits */
	LENGTHS_TWO,
	LENGTHS_EIGHT,
	LENGTHS_MODRM,
	LENGTHS_MODRM_LEA,
	LENGTHS_MODRM_FF,
	LENGTHS_MODRM_BYTE,
	LENGTHS_MODRM_FOUR,
	LENGTHS_MODRM_TWO,
	LENGTHS_MODRM_C7,
	LENGTHS_MODRM_C7_TWO,
	/* The operand is there if ModRM's register is 0 or 1. */
	LENGTHS_GROUP_BYTE,
	LENGTHS_GROUP_FOUR,
	LENGTHS_GROUP_TWO,
	LENGTHS_ALL
};

_Static_assert((int)LENGTHS_ALL == (int)LENGTHS_ROWS, "room for all rows");

static const struct {
	uint32_t says;
	uint8_t operand; /* bytes, ModRM's own not among them */
} lengths_rows[LENGTHS_ROWS] = {
	[LENGTHS_UNKNOWN] = { UINT32_C(1) << LENGTHS_STOP, 0 },
	[LENGTHS_BYTE] = { 0, 1 },
	[LENGTHS_JUMP_SHORT] = { LENGTHS_JUMP | LENGTHS_SHORT, 1 },
	[LENGTHS_JUMP_FAR] = { LENGTHS_JUMP, 4 },
	[LENGTHS_CALL_FAR] = { LENGTHS_CALL, 4 },
	[LENGTHS_FOUR] = { LENGTHS_INT, 4 },
	[LENGTHS_TWO] = { 0, 2 },
	[LENGTHS_EIGHT] = { LENGTHS_OTHER, 8 },
	[LENGTHS_MODRM_LEA] = { LENGTHS_LEA, 0 },
	[LENGTHS_MODRM_BYTE] = { 0, 1 },
	[LENGTHS_MODRM_FOUR] = { LENGTHS_INT, 4 },
	[LENGTHS_MODRM_TWO] = { 0, 2 },
	[LENGTHS_MODRM_C7] = { LENGTHS_INT, 4 },
	[LENGTHS_MODRM_C7_TWO] = { 0, 2 },
	[LENGTHS_GROUP_BYTE] = { 0, 1 },
	[LENGTHS_GROUP_FOUR] = { LENGTHS_INT, 4 },
	[LENGTHS_GROUP_TWO] = { 0, 2 },
};

/* Whether ModRM's register says which instruction it is. */
static bool lengths_is_group(enum lengths_row row)
{
	return row == LENGTHS_MODRM_FF || row >= LENGTHS_MODRM_C7;
}

/* The word of a row for a byte behind the opcode. */
static uint32_t lengths_word(enum lengths_row row, unsigned modrm, uint32_t names)
{
	const unsigned mode = modrm >> 6, rm = modrm & 7, number = modrm >> 3 & 7;
	const bool has_modrm = row >= LENGTHS_MODRM,
		   has_operand = row < LENGTHS_GROUP_BYTE || number < 2;
	const bool has_sib = has_modrm && mode != 3 && rm == 4;
	const bool relative = has_modrm && mode == 0 && rm == 5;
	const bool distant = has_modrm && mode == 2;
	const unsigned operand = has_operand ? lengths_rows[row].operand : 0;
	const unsigned length = row == LENGTHS_UNKNOWN ? 0
						       : 1 + operand + has_modrm + has_sib +
								 (has_modrm && mode == 1) +
								 4 * (distant || relative);
	uint32_t says = has_operand ? lengths_rows[row].says : 0;

	if (relative)
		says |= LENGTHS_RIP;
	if (distant || (has_sib && mode == 0))
		says |= LENGTHS_DISTANT;
	if ((row == LENGTHS_MODRM_FF && number >= 2 && number < 6) ||
	    (row >= LENGTHS_MODRM_C7 && row <= LENGTHS_MODRM_C7_TWO && modrm == 0xf8))
		says |= LENGTHS_OTHER;
	says &= names;
	if (lengths_names(says) | lengths_leads(says))
		says |= LENGTHS_EVENT;
	return says | (has_modrm ? operand : 0) | length << LENGTHS_LENGTH |
	       (length + 4 * (has_sib && mode == 0)) << LENGTHS_LONGER;
}

/* The row of an opcode that decode_shape() describes. */
static enum lengths_row lengths_row(char shape, unsigned table)
{
	const bool small = table == LENGTHS_SMALL, any = table == LENGTHS_PREFIXED;
	const bool wide = table == LENGTHS_WIDE;

	switch (shape) {
	case '.':
		return LENGTHS_NONE;
	case 'b':
		return LENGTHS_BYTE;
	case 'j':
		return table == LENGTHS_PLAIN ? LENGTHS_JUMP_SHORT : LENGTHS_UNKNOWN;
	case 'J':
		return table == LENGTHS_PLAIN || table == LENGTHS_ESCAPED ? LENGTHS_JUMP_FAR
									  : LENGTHS_UNKNOWN;
	case 'm':
		return LENGTHS_MODRM;
	case 'B':
		return LENGTHS_MODRM_BYTE;
	case '6':
		return LENGTHS_GROUP_BYTE;
	case '7':
		return any ? LENGTHS_UNKNOWN : small ? LENGTHS_GROUP_TWO : LENGTHS_GROUP_FOUR;
	case 'z':
		return any ? LENGTHS_UNKNOWN : small ? LENGTHS_TWO : LENGTHS_FOUR;
	case 'Z':
		return any ? LENGTHS_UNKNOWN : small ? LENGTHS_MODRM_TWO : LENGTHS_MODRM_FOUR;
	case 'v':
		return any ? LENGTHS_UNKNOWN : wide ? LENGTHS_EIGHT : lengths_row('z', table);
	default:
		return LENGTHS_UNKNOWN;
	}
}

/* Instructions of one byte, after the bytes that `table` stands for. */
static void lengths_prepare_opcodes(uint16_t *shape, unsigned table)
{
	/* Prefixes, escapes, vectors; whether XOP is one depends on what follows. */
	static const uint8_t unknown[] = { 0x0f, 0x26, 0x2e, 0x36, 0x3e, 0x62, 0x64, 0x65,
					   0x66, 0x67, 0x8f, 0xc4, 0xc5, 0xf0, 0xf2, 0xf3 };

	for (unsigned i = 0; i < LENGTHS_BYTES; i++)
		shape[i] = (i & 0xf0) == 0x40
				   ? LENGTHS_UNKNOWN
				   : (uint16_t)lengths_row(decode_shape(false, (uint8_t)i), table);
	for (size_t i = 0; i < sizeof(unknown); i++)
		shape[unknown[i]] = LENGTHS_UNKNOWN;
	shape[0x8d] = LENGTHS_MODRM_LEA;
	shape[0xff] = LENGTHS_MODRM_FF;
	if (shape[0xc7] != LENGTHS_UNKNOWN)
		shape[0xc7] += LENGTHS_MODRM_C7 - LENGTHS_MODRM_FOUR;
	if (table == LENGTHS_PLAIN)
		shape[0xe8] = LENGTHS_CALL_FAR;
}

static void lengths_prepare_escaped(uint16_t *shape, unsigned table)
{
	for (unsigned i = 0; i < LENGTHS_BYTES; i++)
		shape[i] = (uint16_t)lengths_row(decode_shape(true, (uint8_t)i), table);
	/* VEX has no wrfsbase, and other maps elsewhere. */
	if (table != LENGTHS_VECTOR)
		shape[0x38] = shape[0x3a] = shape[0xae] = LENGTHS_UNKNOWN;
}

static void lengths_prepare_shapes(struct lengths *lengths)
{
	uint16_t *const shape = lengths->shape, *const vector = shape + LENGTHS_VECTOR;

	for (unsigned table = LENGTHS_PLAIN; table <= LENGTHS_VECTOR; table += LENGTHS_BYTES)
		if (table == LENGTHS_ESCAPED || table >= LENGTHS_AFTER)
			lengths_prepare_escaped(shape + table, table);
		else
			lengths_prepare_opcodes(shape + table, table);
	for (size_t i = 0; i < LENGTHS_BYTES; i++) {
		vector[LENGTHS_BYTES + i] = LENGTHS_MODRM;
		vector[2 * LENGTHS_BYTES + i] = LENGTHS_MODRM_BYTE;
	}
	/* A row begins there. */
	for (size_t i = 0; i < sizeof(lengths->shape) / sizeof(shape[0]); i++)
		shape[i] *= LENGTHS_BYTES;
}

static void lengths_prepare_words(struct lengths *lengths, bool short_addresses)
{
	const uint32_t names =
		short_addresses ? UINT32_MAX : ~(uint32_t)(LENGTHS_INT | LENGTHS_DISTANT);

	for (unsigned row = 0; row < LENGTHS_ROWS; row++) {
		uint32_t *word = lengths->word + row * LENGTHS_BYTES;
		/* Bits of the byte that say nothing here: all, or ModRM's register. */
		const unsigned same = row < LENGTHS_MODRM ? 0xff : lengths_is_group(row) ? 0 : 0x38;

		for (unsigned i = 0; i < LENGTHS_BYTES; i++)
			word[i] = i & same ? word[i & ~same] : lengths_word(row, i, names);
	}
	for (unsigned i = 0; i < LENGTHS_BYTES; i++)
		lengths->sib[i] = (i & 7) == 5 ? LENGTHS_LONGER : LENGTHS_LENGTH;
}

/* What the second byte says behind a first one, with which opcodes are in `table`. */
static uint16_t lengths_head(unsigned table, unsigned second)
{
	const bool legacy = table == LENGTHS_SMALL || table == LENGTHS_PREFIXED;

	if (table == LENGTHS_PLAIN)
		return LENGTHS_PLAIN;
	if (table == LENGTHS_ESCAPED)
		return LENGTHS_ESCAPED + 1;
	if (second == 0x0f)
		return LENGTHS_AFTER + 2;
	return (uint16_t)(legacy && (second & 0xf0) == 0x40 ? LENGTHS_PREFIXED + 2 : table + 1);
}

/* The same behind C5 and C4: the map is in C4's second byte. */
static void lengths_prepare_vectors(uint16_t *two, uint16_t *three)
{
	enum { MAPS = 3, MAP = 0x1f };

	for (unsigned i = 0; i < LENGTHS_BYTES; i++) {
		const unsigned map = i & MAP;

		two[i] = LENGTHS_VECTOR + 2;
		/* C4 is no opcode. */
		three[i] = (uint16_t)(map >= 1 && map <= MAPS
					      ? LENGTHS_VECTOR + (map - 1) * LENGTHS_BYTES + 3
					      : LENGTHS_PLAIN);
	}
}

void lengths_prepare(struct lengths *lengths, bool short_addresses)
{
	static const uint16_t tables[] = { LENGTHS_PLAIN, LENGTHS_ESCAPED, LENGTHS_REX,
					   LENGTHS_WIDE,  LENGTHS_SMALL,   LENGTHS_PREFIXED };
	static const uint8_t prefixes[] = { 0x2e, 0x64, 0xf2, 0xf3 };
	enum { TABLES = sizeof(tables) / sizeof(tables[0]) };
	uint16_t *const vectors = lengths->head + TABLES * LENGTHS_BYTES;

	lengths_prepare_shapes(lengths);
	lengths_prepare_words(lengths, short_addresses);
	for (unsigned k = 0; k < TABLES; k++)
		for (unsigned i = 0; i < LENGTHS_BYTES; i++)
			lengths->head[k * LENGTHS_BYTES + i] = lengths_head(tables[k], i);
	lengths_prepare_vectors(vectors, vectors + LENGTHS_BYTES);
	for (unsigned i = 0; i < LENGTHS_BYTES; i++)
		lengths->first[i] = (i & 0xf8) == 0x40   ? LENGTHS_REX
				    : (i & 0xf8) == 0x48 ? LENGTHS_WIDE
							 : LENGTHS_PLAIN;
	lengths->first[0x0f] = LENGTHS_ESCAPED;
	lengths->first[0x66] = LENGTHS_SMALL;
	for (size_t i = 0; i < sizeof(prefixes); i++)
		lengths->first[prefixes[i]] = LENGTHS_PREFIXED;
	lengths->first[0xc5] = TABLES * LENGTHS_BYTES;
	lengths->first[0xc4] = (TABLES + 1) * LENGTHS_BYTES;
}

/* Notes the instruction at an address, without a decision; returns where the next one begins. */
static inline uintptr_t lengths_step(const struct lengths *lengths, uintptr_t at, uint32_t slot,
				     struct lengths_notes *notes) __attribute__((always_inline));
static inline uintptr_t lengths_step(const struct lengths *lengths, uintptr_t at, uint32_t slot,
				     struct lengths_notes *notes)
{
	const uint8_t *code = (const uint8_t *)at;
	const uint32_t head = lengths->head[(size_t)lengths->first[code[0]] + code[1]];
	const uint8_t *opcode = code + (head & LENGTHS_BEFORE);
	const size_t row = lengths->shape[(head & LENGTHS_TABLE) + opcode[0]];
	const uint32_t word = lengths->word[row + opcode[1]];
	const uint32_t length = word >> lengths->sib[opcode[2]] & LENGTHS_STEP;
	const uintptr_t next = (uintptr_t)opcode + length;

	notes->boundary[at / LENGTHS_BOUNDARY] |= UINT64_C(1) << at % LENGTHS_BOUNDARY;
	*notes->event = (struct lengths_event){ (uint32_t)next, word + slot };
	notes->event = (void *)((char *)notes->event + (word & LENGTHS_EVENT));
	return next;
}

static void lengths_run_one(const struct lengths *lengths, struct lengths_lane *lane,
			    struct lengths_notes *notes)
{
	const uintptr_t end = (uintptr_t)lane->end;
	uintptr_t at = (uintptr_t)lane->at;

	do
		at = lengths_step(lengths, at, lane->slot, notes);
	while (at < end && notes->event < notes->last);
	lane->at = (const uint8_t *)at;
}

static void lengths_run_all(const struct lengths *lengths, struct lengths_lane *lane,
			    struct lengths_notes *notes)
{
	uintptr_t at[LENGTHS_LANES], end[LENGTHS_LANES];
	uint32_t slot[LENGTHS_LANES];
	bool more;

	for (size_t i = 0; i < LENGTHS_LANES; i++) {
		at[i] = (uintptr_t)lane[i].at;
		end[i] = (uintptr_t)lane[i].end;
		slot[i] = lane[i].slot;
	}
	do {
		more = notes->event < notes->last;
#pragma GCC unroll 4
		for (size_t i = 0; i < LENGTHS_LANES; i++) {
			at[i] = lengths_step(lengths, at[i], slot[i], notes);
			if (at[i] >= end[i])
				more = false;
		}
	} while (more);
	for (size_t i = 0; i < LENGTHS_LANES; i++)
		lane[i].at = (const uint8_t *)at[i];
}

/* If a lane has met an unknown instruction, that is where it is. */
static void lengths_stop(struct lengths_lane *lane, uintptr_t from,
			 const struct lengths_notes *notes)
{
	const uintptr_t at = (uintptr_t)lane->at;
	const uintptr_t beyond = (at - from) & -(uintptr_t)LENGTHS_BEYOND;

	lane->unknown = beyond;
	if (beyond)
		lane->at = (const uint8_t *)lengths_begin(notes, at - beyond + 1);
}

void lengths_run(const struct lengths *lengths, struct lengths_lane *lane, size_t n,
		 struct lengths_notes *notes)
{
	/* Words are counted from address 0, which saves a subtraction. */
	struct lengths_notes from_zero = *notes;
	uintptr_t from[LENGTHS_LANES];

	from_zero.boundary = (uint64_t *)((uintptr_t)notes->boundary -
					  notes->base / LENGTHS_BOUNDARY * sizeof(uint64_t));
	for (size_t i = 0; i < n; i++)
		from[i] = (uintptr_t)lane[i].at;
	if (n == LENGTHS_LANES)
		lengths_run_all(lengths, lane, &from_zero);
	else
		lengths_run_one(lengths, lane, &from_zero);
	for (size_t i = 0; i < n; i++)
		lengths_stop(&lane[i], from[i], notes);
	notes->event = from_zero.event;
}
