/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * x86, 32 and 64 bits: the length of any instruction, from a table for each opcode map, and the
 * targets of calls and jumps.
 */
#include "config.h"

#include "io/image/callscan_decode.h"

#include <string.h>

/* What follows an opcode. A table has one of these letters for each opcode of its map. */
enum operands {
	NOTHING = '.',
	BAD = '!',      /* no instruction */
	PREFIX = 'p',   /* not an opcode */
	MODRM = 'm',    /* a ModRM byte with its SIB byte and displacement */
	MODRM_8 = '1',  /* a ModRM byte with its SIB byte and displacement, and an immediate of 1
			   byte */
	MODRM_Z = '4',  /* as MODRM_8, but an immediate of 2 or 4 bytes, by operand size */
	TEST_8 = 'g',   /* as MODRM_8 if ModRM's middle field is 0 or 1, else as MODRM */
	TEST_Z = 'G',   /* as MODRM_Z if ModRM's middle field is 0 or 1, else as MODRM */
	IMM_8 = 'b',    /* 8 bits */
	IMM_16 = 'w',   /* 16 bits */
	IMM_24 = 'e',   /* 24 bits */
	IMM_Z = 'z',    /* 16 or 32 bits, by operand size */
	IMM_V = 'v',    /* 16, 32 or 64 bits, by operand size */
	OFFSET = 'o',   /* as many bits as an address has */
	FAR = 'f',      /* a far address: as IMM_Z, then 16 bits */
	JUMP_8 = 'j',   /* a jump's distance of 8 bits */
	JUMP_Z = 'J',   /* a jump's distance of 16 or 32 bits, by operand size */
	CALL_Z = 'C',   /* a call's distance of 16 or 32 bits, by operand size */
	MAP_0F = 'E',   /* the opcode follows, in the second map */
	MAP_0F38 = '3', /* the opcode follows, in the third map */
	MAP_0F3A = 'A', /* the opcode follows, in the fourth map */
};

static const char one_byte[] = "mmmmbz..mmmmbz.E" /* 00 */
			       "mmmmbz..mmmmbz.." /* 10 */
			       "mmmmbzp.mmmmbzp." /* 20 */
			       "mmmmbzp.mmmmbzp." /* 30 */
			       "................" /* 40 */
			       "................" /* 50 */
			       "..mmppppz4b1...." /* 60 */
			       "jjjjjjjjjjjjjjjj" /* 70 */
			       "1411mmmmmmmmmmmm" /* 80 */
			       "..........f....." /* 90 */
			       "oooo....bz......" /* a0 */
			       "bbbbbbbbvvvvvvvv" /* b0 */
			       "11w.mm14e.w..b.." /* c0 */
			       "mmmmbb..mmmmmmmm" /* d0 */
			       "jjjjbbbbCJfj...." /* e0 */
			       "p.pp..gG......mm" /* f0 */;

static const char after_0f[] = "mmmm!.....!.!m.1" /* 00 */
			       "mmmmmmmmmmmmmmmm" /* 10 */
			       "mmmm!!!!mmmmmmmm" /* 20 */
			       "......!.3!A!!!!!" /* 30 */
			       "mmmmmmmmmmmmmmmm" /* 40 */
			       "mmmmmmmmmmmmmmmm" /* 50 */
			       "mmmmmmmmmmmmmmmm" /* 60 */
			       "1111mmm.mmmmmmmm" /* 70 */
			       "JJJJJJJJJJJJJJJJ" /* 80 */
			       "mmmmmmmmmmmmmmmm" /* 90 */
			       "...m1mmm...m1mmm" /* a0 */
			       "mmmmmmmmmm1mmmmm" /* b0 */
			       "mm1m111m........" /* c0 */
			       "mmmmmmmmmmmmmmmm" /* d0 */
			       "mmmmmmmmmmmmmmmm" /* e0 */
			       "mmmmmmmmmmmmmmmm" /* f0 */;

/* Opcodes that do not exist in 64-bit mode, besides those that are VEX and EVEX prefixes there. */
static const unsigned char not_in_64[] = { 0x06, 0x07, 0x0e, 0x16, 0x17, 0x1e, 0x1f,
					   0x27, 0x2f, 0x37, 0x3f, 0x60, 0x61, 0x82,
					   0x9a, 0xce, 0xd4, 0xd5, 0xd6, 0xea };

struct x86 {
	const unsigned char *bytes;
	size_t at, left; /* position, and bytes left of the whole instruction */
	int opcode;      /* the opcode if it is in the first map, else 0 */
	bool is_64, rex_w, operand_16, address_small;
};

/* Returns the byte n after the current one; -1 beyond the end. */
static int callscan_x86_peek(const struct x86 *x, size_t n)
{
	return x->at + n < x->left ? x->bytes[x->at + n] : -1;
}

static void callscan_x86_take_prefixes(struct x86 *x)
{
	for (int byte; (byte = callscan_x86_peek(x, 0)) >= 0; x->at++) {
		if (x->is_64 && (byte & 0xf0) == 0x40) {
			x->rex_w = byte >> 3 & 1;
			continue;
		}
		if (one_byte[byte] != PREFIX)
			return;
		x->rex_w = false; /* only the last prefix can be a REX */
		if (byte == 0x66)
			x->operand_16 = true;
		else if (byte == 0x67)
			x->address_small = true;
	}
}

static unsigned callscan_x86_imm_z(const struct x86 *x)
{
	return x->operand_16 && !x->rex_w ? 2 : 4;
}

/* Returns how many bytes ModRM, SIB and displacement take, possibly more than there are. */
static size_t callscan_x86_modrm_length(const struct x86 *x)
{
	int modrm = callscan_x86_peek(x, 0), sib = callscan_x86_peek(x, 1);
	int mod = modrm >> 6 & 3, rm = modrm & 7;

	if (modrm < 0 || mod == 3)
		return 1;
	if (!x->is_64 && x->address_small) {
		if (mod == 0)
			return rm == 6 ? 3 : 1;
		return mod == 1 ? 2 : 3;
	}
	if (mod == 1)
		return rm == 4 ? 3 : 2;
	if (mod == 2)
		return rm == 4 ? 6 : 5;
	if (rm == 4)
		return sib >= 0 && (sib & 7) == 5 ? 6 : 2;
	return rm == 5 ? 5 : 1;
}

static unsigned callscan_x86_address_length(const struct x86 *x)
{
	unsigned full = x->is_64 ? 8 : 4;

	return x->address_small ? full / 2 : full;
}

/* Returns how many bytes follow the opcode. */
static size_t callscan_x86_operands_length(const struct x86 *x, enum operands operands)
{
	bool is_test = (callscan_x86_peek(x, 0) >> 3 & 7) < 2;

	switch (operands) {
	case MODRM:
		return callscan_x86_modrm_length(x);
	case MODRM_8:
		return callscan_x86_modrm_length(x) + 1;
	case MODRM_Z:
		return callscan_x86_modrm_length(x) + callscan_x86_imm_z(x);
	case TEST_8:
		return callscan_x86_modrm_length(x) + (is_test ? 1 : 0);
	case TEST_Z:
		return callscan_x86_modrm_length(x) + (is_test ? callscan_x86_imm_z(x) : 0);
	case IMM_8:
	case JUMP_8:
		return 1;
	case IMM_16:
		return 2;
	case IMM_24:
		return 3;
	case IMM_Z:
	case JUMP_Z:
	case CALL_Z:
		return callscan_x86_imm_z(x);
	case IMM_V:
		return x->rex_w ? 8 : callscan_x86_imm_z(x);
	case OFFSET:
		return callscan_x86_address_length(x);
	case FAR:
		return callscan_x86_imm_z(x) + 2;
	default:
		return 0;
	}
}

/* Returns the operands of an opcode in a map that VEX, EVEX and XOP prefixes select by number. */
static enum operands callscan_x86_vector_operands(unsigned map, int opcode, bool is_xop)
{
	if (is_xop)
		return map == 8 ? MODRM_8 : map == 9 ? MODRM : map == 10 ? MODRM_Z : BAD;
	switch (map) {
	case 1:
		/* All but vzeroupper and vzeroall have ModRM; their immediates are as in the map.
		 */
		return after_0f[opcode] == MODRM_8 ? MODRM_8 : opcode == 0x77 ? NOTHING : MODRM;
	case 2:
	case 5:
	case 6:
		return MODRM;
	case 3:
		return MODRM_8;
	default:
		return BAD;
	}
}

/*
 * If a VEX, EVEX or XOP prefix is next, skips it and the opcode and returns the operands; else
 * returns PREFIX. In 32-bit code the first byte of these prefixes may be an opcode as well: the
 * second byte decides.
 */
static enum operands callscan_x86_take_vector(struct x86 *x)
{
	int first = callscan_x86_peek(x, 0), second = callscan_x86_peek(x, 1), opcode;
	unsigned map = second & 0x1f;
	size_t length;

	if (second < 0 || !(first == 0x8f || x->is_64 || second >= 0xc0))
		return PREFIX;
	if (first == 0xc5) {
		length = 2;
		map = 1;
	} else if (first == 0xc4 || (first == 0x8f && map >= 8)) {
		length = 3;
	} else if (first == 0x62) {
		length = 4;
		map = second & 7;
	} else {
		return PREFIX;
	}
	opcode = callscan_x86_peek(x, length);
	if (opcode < 0)
		return BAD;
	x->at += length + 1;
	/* In the last map of XOP, immediates keep 32 bits. */
	x->operand_16 = false;
	return callscan_x86_vector_operands(map, opcode, first == 0x8f);
}

static enum operands callscan_x86_take_opcode(struct x86 *x)
{
	enum operands operands = callscan_x86_take_vector(x);
	int opcode;

	if (operands != PREFIX)
		return operands;
	opcode = callscan_x86_peek(x, 0);
	if (opcode < 0 || (x->is_64 && memchr(not_in_64, opcode, sizeof(not_in_64))))
		return BAD;
	x->at++;
	x->opcode = opcode;
	operands = (enum operands)one_byte[opcode];
	if (operands == MAP_0F) {
		opcode = callscan_x86_peek(x, 0);
		if (opcode < 0)
			return BAD;
		x->at++;
		operands = (enum operands)after_0f[opcode];
	}
	if (operands == MAP_0F38 || operands == MAP_0F3A) {
		x->at++;
		return operands == MAP_0F38 ? MODRM : MODRM_8;
	}
	return operands;
}

/*
 * Sets *branch for a call or jump whose target is in a register or in memory. If the pointer has a
 * fixed address, as in a table of the linker, that is the target; else the target is not known.
 */
static void callscan_x86_through_pointer(const struct insn *in, const struct x86 *x, size_t length,
					 struct branch *branch)
{
	int modrm = callscan_x86_peek(x, 0);
	bool is_place = modrm >= 0 && (modrm & 0xc7) == 5 && !x->address_small;
	uint64_t at;

	if (modrm < 0)
		return;
	switch (modrm >> 3 & 7) {
	case 2:
		branch->kind = BRANCH_POINTER;
		if (!is_place)
			return;
		at = callscan_sign_extended(cursor_bytes_uint(in->bytes + x->at + 1, 4, false), 32);
		branch->target = x->is_64 ? in->pc + length + at : at & UINT32_MAX;
		return;
	case 4:
	case 5:
		branch->kind = BRANCH_COMPUTED;
		return;
	default:
		return;
	}
}

static size_t callscan_x86_decode(const struct insn *in, bool is_64, struct branch *branch)
{
	struct x86 x = { .bytes = in->bytes, .left = in->left, .is_64 = is_64 };
	enum operands operands;
	size_t length, width;

	callscan_x86_take_prefixes(&x);
	operands = callscan_x86_take_opcode(&x);
	if (operands == BAD)
		return 0;
	width = callscan_x86_operands_length(&x, operands);
	length = x.at + width;
	if (length > in->left)
		return 0;
	/* With a distance of 16 bits, the processor cuts the address to 16 bits. No program
	 * means that. */
	if (operands == JUMP_8 || ((operands == JUMP_Z || operands == CALL_Z) && width == 4)) {
		branch->kind = operands == CALL_Z ? BRANCH_CALL : BRANCH_JUMP;
		branch->target = in->pc + length +
				 callscan_sign_extended(cursor_bytes_uint(in->bytes + x.at,
									  (unsigned)width, false),
							8 * (unsigned)width);
	}
	if (x.opcode == 0xff)
		callscan_x86_through_pointer(in, &x, length, branch);
	return length;
}

size_t callscan_i386(const struct insn *in, struct branch *branch)
{
	return callscan_x86_decode(in, false, branch);
}

size_t callscan_x86_64(const struct insn *in, struct branch *branch)
{
	return callscan_x86_decode(in, true, branch);
}
