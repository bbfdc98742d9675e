/* SPDX-License-Identifier: MIT */
/* Which instructions can be moved. See moves.h. */
#include "calls/moves.h"

#include <stddef.h>

#include "calls/decode.h"

/*
 * What an opcode is, 64 to a line:
 *   .  not to be moved      n  no operand in memory     m  ModRM         l  lea, or nothing
 *   e  ends: a return       j  a 32-bit distance        s  a short one   c  a call
 *   0  ModRM, whose register is 0                       1  is 0 or 1     5  is 0 to 5
 *   f  FF: as 1, or a jump
 */
static const char moves_one_byte[] =
	"mmmmnn..mmmmnn..mmmmnn..mmmmnn..mmmmnn..mmmmnn..mmmmnn..mmmmnn.."
	"................nnnnnnnn...........m....nmnm....ssssssssssssssss"
	"mm.mmmmmmmmm.l..nnnnnnnnnn..............nn......nnnnnnnnnnnnnnnn"
	"mmee..00........mmmm............ssss....cj.s..........55......1f";
static const char moves_two_bytes[] =
	"................mmmmmmmm......ml........mm......................"
	"mmmmmmmmmmmmmmmm....mmmm........mmm.........mmmmm...mmm.......mm"
	"jjjjjjjjjjjjjjjjmmmmmmmmmmmmmmmm...............m......mm....mmmm"
	"......m.nnnnnnnn......m....m...m...........m...m................";

_Static_assert(sizeof(moves_one_byte) == 257 && sizeof(moves_two_bytes) == 257,
	       "a letter for each opcode");

/* An instruction that is being looked at. */
struct moves_reader {
	const uint8_t *code;
	unsigned at, length;
	uint8_t rex;
	bool thread; /* %fs */
	char what;
};

/* Takes prefixes. False: one that is not known. */
static bool moves_prefixes(struct moves_reader *r)
{
	for (; r->at < r->length; r->at++) {
		const uint8_t byte = r->code[r->at];

		if (byte == 0x64)
			r->thread = true;
		else if ((byte & 0xf0) == 0x40 && r->at + 1 < r->length)
			r->rex = byte;
		else if (byte != 0x66 && byte != 0xf2 && byte != 0xf3 && byte != 0x2e &&
			 byte != 0x3e)
			return (byte & 0xf0) != 0x40 && byte != 0x65 && byte != 0x67 &&
			       byte != 0xf0;
		else if (r->rex)
			return false;
	}
	return false;
}

/* Takes the opcode. VEX with two bytes has those after 0F. */
static void moves_opcode(struct moves_reader *r)
{
	const uint8_t op = r->code[r->at++];

	r->what = moves_one_byte[op];
	if (op == 0xc5 && r->at + 1 < r->length && !r->rex) {
		r->what = moves_two_bytes[r->code[r->at + 1]];
		r->at += 2;
		if (r->what != 'm' || (r->code[r->at - 1] & 0xf0) == 0x40 ||
		    (r->code[r->at - 1] & 0xf0) == 0x90)
			r->what = '.';
	} else if (op == 0x0f && r->at < r->length) {
		r->what = moves_two_bytes[r->code[r->at++]];
	}
}

/* Whether the register in ModRM is one that the opcode may have; that of a jump ends. */
static bool moves_register(const struct moves_reader *r, uint8_t modrm, bool *ends)
{
	const unsigned number = modrm >> 3 & 7;

	if (r->what == '0')
		return number == 0;
	if (r->what == '1')
		return number <= 1;
	if (r->what == '5')
		return number <= 5;
	if (r->what != 'f')
		return true;
	*ends = number == 4;
	return number <= 1 || number == 4;
}

/* Whether ModRM's operand can be moved, and where its distance is. */
static bool moves_operand(const struct moves_reader *r, const struct moves *moves,
			  uint8_t *relative)
{
	enum { BASE = 1, INDEX = 2, STACK = 4, FRAME = 5, NO_INDEX = 4 << 3, NO_BASE = 5 };
	const uint8_t modrm = r->code[r->at], mode = modrm >> 6, rm = modrm & 7;
	const uint8_t sib = r->at + 1 < r->length ? r->code[r->at + 1] : 0;

	if (mode == 3)
		return true;
	if (mode == 0 && rm == FRAME) {
		*relative = (uint8_t)(r->at + 1);
		return !r->thread;
	}
	if (r->what == 'l')
		return true;
	if (rm != STACK)
		return rm == FRAME && moves->framed && !(r->rex & BASE) && !r->thread;
	if ((sib & 0x38) != NO_INDEX || r->rex & INDEX)
		return false;
	if (mode == 0 && (sib & 7) == NO_BASE)
		return r->thread;
	return (sib & 7) == STACK && !(r->rex & BASE) && !r->thread;
}

struct move moves_look(struct moves *moves, const uint8_t *code, unsigned length)
{
	struct moves_reader r = { .code = code, .length = length };
	struct move move = { .why = MOVES_UNKNOWN };

	if (!moves_prefixes(&r))
		return move;
	moves_opcode(&r);
	move.ends = r.what == 'e' || code[r.at - 1] == 0xe9;
	if (r.what == 'c')
		move.why = MOVES_IS_CALL;
	else if (r.what == 's')
		move.why = MOVES_IS_SHORT;
	else if (r.what == 'n' || r.what == 'e')
		move.why = MOVES_CAN;
	else if (r.what == 'j' && r.at + sizeof(int32_t) == length) {
		move.relative = (uint8_t)r.at;
		move.why = MOVES_CAN;
	} else if (r.what != '.' && r.what != 'j' && r.at < length &&
		   moves_register(&r, code[r.at], &move.ends)) {
		move.why = moves_operand(&r, moves, &move.relative) ? MOVES_CAN : MOVES_FAULTS;
	}
	/* mov %rsp, %rbp */
	if (length == 3 && code[0] == 0x48 &&
	    ((code[1] == 0x89 && code[2] == 0xe5) || (code[1] == 0x8b && code[2] == 0xec)))
		moves->framed = true;
	return move;
}

unsigned moves_padding(const uint8_t *code, unsigned n)
{
	struct decoded d;
	unsigned at = 0;

	if (n && *code == 0xcc)
		return 1;
	if (!decode(&d, code, n, 0))
		return 0;
	while (code[at] == 0x66 || code[at] == 0x2e)
		at++;
	if (code[at] == 0x90 && at + 1U == d.length)
		return d.length;
	return at + 2U < d.length && code[at] == 0x0f && code[at + 1] == 0x1f ? d.length : 0;
}
