/* SPDX-License-Identifier: MIT */
/* Lengths of x86-64 instructions. See decode.h. */
#include "calls/decode.h"

/* What follows an opcode, a letter of decode_shape() each, 64 to a line. */
static const char decode_one_byte[] =
	"mmmmbzxxmmmmbzxxmmmmbzxxmmmmbzxxmmmmbzxxmmmmbzxxmmmmbzxxmmmmbzxx"
	"xxxxxxxxxxxxxxxx................xxxmxxxxzZbB....jjjjjjjjjjjjjjjj"
	"BZxBmmmmmmmmmmmm..........x.....aaaa....bz......bbbbbbbbvvvvvvvv"
	"BBw.xxBZe.w..bx.mmmmxxx.mmmmmmmmjjjjbbbbJJxj....x.xx..67......mm";
static const char decode_two_bytes[] =
	"mmmmx.....x.xm.Bmmmmmmmmmmmmmmmmmmmmxxxxmmmmmmmm......x.xxxxxxxx"
	"mmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmBBBBmmm.mmxxmmmm"
	"JJJJJJJJJJJJJJJJmmmmmmmmmmmmmmmm...mBmmm...mBmmmmmmmmmmmmmBmmmmm"
	"mmBmBBBm........mmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmm";

_Static_assert(sizeof(decode_one_byte) == 257 && sizeof(decode_two_bytes) == 257,
	       "a letter for each opcode");

char decode_shape(bool escaped, uint8_t opcode)
{
	return escaped ? decode_two_bytes[opcode] : decode_one_byte[opcode];
}

/* An instruction that is being read. */
struct decode_reader {
	const uint8_t *code;
	size_t at, end; /* the next byte; how many there are */
	bool wide;      /* REX.W */
	bool small;     /* 66: operands of 16 bits */
	bool repeated;  /* F3 */
	bool short_address;
	uint8_t map, opcode, modrm;
	/* where a 32-bit distance from rip, or any other displacement of 32 bits, begins in ModRM's
	 * operand; 0: none */
	size_t relative, displacement;
};

static bool decode_byte(struct decode_reader *r, uint8_t *byte)
{
	if (r->at >= r->end)
		return false;
	*byte = r->code[r->at++];
	return true;
}

static bool decode_skip(struct decode_reader *r, size_t n)
{
	if (n > r->end - r->at)
		return false;
	r->at += n;
	return true;
}

/* Takes legacy prefixes and REX. REX counts only right before the opcode. */
static bool decode_prefixes(struct decode_reader *r)
{
	for (;;) {
		uint8_t byte;

		if (!decode_byte(r, &byte))
			return false;
		switch (byte) {
		case 0x66:
			r->small = true;
			break;
		case 0x67:
			r->short_address = true;
			break;
		case 0xf3:
			r->repeated = true;
			break;
		case 0x26:
		case 0x2e:
		case 0x36:
		case 0x3e:
		case 0x64:
		case 0x65:
		case 0xf0:
		case 0xf2:
			break;
		default:
			if ((byte & 0xf0) == 0x40) {
				r->wide = byte & 8;
				if (!decode_byte(r, &byte))
					return false;
			}
			r->opcode = byte;
			return (byte & 0xf0) != 0x40;
		}
	}
}

/* VEX with two or three bytes, and XOP: all opcodes have ModRM but vzeroupper. */
static bool decode_vex(struct decode_reader *r)
{
	uint8_t first, last;

	if (!decode_byte(r, &first))
		return false;
	r->map = 1;
	if (r->opcode != 0xc5) {
		r->map = first & 0x1f;
		if (!decode_byte(r, &last))
			return false;
	}
	return decode_byte(r, &r->opcode);
}

/* EVEX: four bytes, then the opcode. */
static bool decode_evex(struct decode_reader *r)
{
	uint8_t first, second;

	if (!decode_byte(r, &first) || !decode_byte(r, &second) || !decode_skip(r, 1))
		return false;
	r->map = first & 7;
	return !(first & 8) && (second & 4) && decode_byte(r, &r->opcode);
}

/* What follows the opcode of an instruction with a vector prefix. */
static char decode_vector_operands(const struct decode_reader *r, bool xop)
{
	const uint8_t op = r->opcode;

	if (xop)
		return r->map == 8 ? 'B' : r->map == 9 ? 'm' : r->map == 10 ? 'Z' : 'x';
	switch (r->map) {
	case 1:
		return (op & 0xf0) == 0x80 ? 'x' : decode_two_bytes[op];
	case 2:
	case 5:
	case 6:
		return 'm';
	case 3:
		return 'B';
	default:
		return 'x';
	}
}

/* Takes the rest of the opcode; returns what follows it. */
static char decode_operands(struct decode_reader *r)
{
	const uint8_t op = r->opcode;

	if (op == 0xc4 || op == 0xc5 ||
	    (op == 0x8f && r->at < r->end && (r->code[r->at] & 0x1f) >= 8))
		return decode_vex(r) ? decode_vector_operands(r, op == 0x8f) : 'x';
	if (op == 0x62)
		return decode_evex(r) ? decode_vector_operands(r, false) : 'x';
	if (op != 0x0f)
		return decode_one_byte[op];
	r->map = 1;
	if (!decode_byte(r, &r->opcode))
		return 'x';
	if (r->opcode != 0x38 && r->opcode != 0x3a)
		return decode_two_bytes[r->opcode];
	r->map = r->opcode == 0x38 ? 2 : 3;
	return !decode_byte(r, &r->opcode) ? 'x' : r->map == 2 ? 'm' : 'B';
}

/* Takes ModRM, a SIB byte and a displacement. */
static bool decode_modrm(struct decode_reader *r)
{
	uint8_t sib = 0;
	unsigned mode, rm;

	if (!decode_byte(r, &r->modrm))
		return false;
	mode = r->modrm >> 6;
	rm = r->modrm & 7;
	if (mode == 3)
		return true;
	if (rm == 4 && !decode_byte(r, &sib))
		return false;
	if (mode == 0 && rm == 5)
		r->relative = r->at;
	if (mode == 1)
		return decode_skip(r, 1);
	if (mode != 2 && rm != 5 && (rm != 4 || (sib & 7) != 5))
		return true;
	if (!r->relative)
		r->displacement = r->at;
	return decode_skip(r, 4);
}

/* How many bytes of an immediate operand follow. */
static size_t decode_immediate(const struct decode_reader *r, char what)
{
	const bool has = (r->modrm >> 3 & 7) < 2;
	const size_t most = r->small && !r->wide ? 2 : 4;

	switch (what) {
	case 'b':
	case 'B':
	case 'j':
		return 1;
	case 'w':
		return 2;
	case 'e':
		return 3;
	case 'z':
	case 'Z':
		return most;
	case 'J':
		return 4;
	case 'v':
		return r->wide ? 8 : most;
	case 'a':
		return r->short_address ? 4 : 8;
	case '6':
		return has ? 1 : 0;
	case '7':
		return has ? most : 0;
	default:
		return 0;
	}
}

static bool decode_has_modrm(char what)
{
	return what == 'm' || what == 'B' || what == 'Z' || what == '6' || what == '7';
}

static int32_t decode_int(const uint8_t *at)
{
	int32_t value;

	__builtin_memcpy(&value, at, sizeof(value));
	return value;
}

/* FF: calls and jumps through registers and memory. */
static enum decode_kind decode_group_five(const struct decode_reader *r, bool prefixed)
{
	const unsigned what = r->modrm >> 3 & 7;
	const bool plain = r->relative && !prefixed;

	if (what == 2 || what == 3)
		return what == 2 && plain ? DECODE_CALL_MEMORY : DECODE_CALL_OTHER;
	if (what == 4 || what == 5)
		return what == 4 && plain ? DECODE_JUMP_MEMORY : DECODE_JUMP_OTHER;
	return DECODE_OTHER;
}

static enum decode_kind decode_kind_of(const struct decode_reader *r, char what, bool prefixed)
{
	const unsigned number = r->modrm >> 3 & 7;

	if (what == 'j')
		return DECODE_SHORT;
	if (r->map == 0 && r->opcode == 0xff)
		return decode_group_five(r, prefixed);
	if (r->map == 0 && what == 'J')
		return r->opcode == 0xe8 ? DECODE_CALL : DECODE_JUMP;
	if (r->map == 1 && what == 'J')
		return DECODE_JUMP_IF;
	if (r->map == 0 && r->opcode == 0xc7 && r->modrm == 0xf8)
		return DECODE_SHORT;
	if (r->map == 1 && r->opcode == 0xae && r->repeated && r->modrm >> 6 == 3 &&
	    (number == 2 || number == 3))
		return DECODE_SETS_BASE;
	return DECODE_OTHER;
}

/* Sets where it leads, and what an immediate operand is; the instruction ends at r->at. */
static void decode_addresses(struct decoded *d, const struct decode_reader *r, size_t immediate,
			     uintptr_t address)
{
	const uint8_t *last = r->code + r->at - immediate;
	const uintptr_t next = address + r->at;

	d->is_lea = r->map == 0 && r->opcode == 0x8d && r->relative;
	if (d->kind == DECODE_SHORT || d->kind == DECODE_CALL || d->kind == DECODE_JUMP ||
	    d->kind == DECODE_JUMP_IF) {
		d->has_target = immediate == 1 || immediate == 4;
		d->target = next + (uintptr_t)(immediate == 1 ? (int8_t)*last : decode_int(last));
	} else if (r->relative) {
		d->has_target =
			d->is_lea || d->kind == DECODE_CALL_MEMORY || d->kind == DECODE_JUMP_MEMORY;
		d->target = next + (uintptr_t)(intptr_t)decode_int(r->code + r->relative);
	}
	d->has_memory = r->relative || r->displacement;
	if (r->relative)
		d->memory = next + (uintptr_t)(intptr_t)decode_int(r->code + r->relative);
	else if (r->displacement)
		d->memory = (uintptr_t)(intptr_t)decode_int(r->code + r->displacement);
	d->has_value = d->kind == DECODE_OTHER && (immediate == 4 || immediate == 8);
	if (d->has_value && immediate == 8)
		__builtin_memcpy(&d->value, last, sizeof(d->value));
	else if (d->has_value)
		d->value = (uint32_t)decode_int(last);
}

bool decode(struct decoded *decoded, const uint8_t *code, size_t n, uintptr_t address)
{
	struct decode_reader r = { .code = code, .end = n < DECODE_LONGEST ? n : DECODE_LONGEST };
	size_t immediate, prefixes;
	char what;

	*decoded = (struct decoded){ .kind = DECODE_OTHER };
	if (!decode_prefixes(&r))
		return false;
	prefixes = r.at - 1;
	what = decode_operands(&r);
	if (what == 'x' || (decode_has_modrm(what) && !decode_modrm(&r)))
		return false;
	/* Processors differ in what 66 makes of a 32-bit distance. */
	if (what == 'J' && r.small && !r.wide)
		return false;
	immediate = decode_immediate(&r, what);
	if (!decode_skip(&r, immediate))
		return false;
	decoded->prefixed = prefixes > 0;
	decoded->length = (uint8_t)r.at;
	decoded->kind = decode_kind_of(&r, what, decoded->prefixed);
	decode_addresses(decoded, &r, immediate, address);
	return true;
}
