/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * RISC-V, 32 and 64 bits: instructions of 2 or 4 bytes (longer ones are reserved), always
 * little-endian. A far call is a pair: auipc puts the upper part of the distance into a register,
 * jalr adds the lower part and goes there. What saves the return address is a call.
 */
#include "config.h"

#include "io/image/callscan_decode.h"

enum { OP_AUIPC = 0x17, OP_JALR = 0x67, OP_JAL = 0x6f, C_JAL = 0x2001, C_J = 0xa001 };

static unsigned riscv_bits(uint32_t word, unsigned from, unsigned n)
{
	return word >> from & ((1u << n) - 1);
}

static enum branch_kind riscv_kind_of_link(unsigned reg)
{
	return reg ? BRANCH_CALL : BRANCH_JUMP;
}

static void riscv_decode_jal(uint32_t word, uint64_t pc, struct branch *branch)
{
	uint32_t distance = riscv_bits(word, 31, 1) << 20 | riscv_bits(word, 12, 8) << 12 |
			    riscv_bits(word, 20, 1) << 11 | riscv_bits(word, 21, 10) << 1;

	branch->kind = riscv_kind_of_link(riscv_bits(word, 7, 5));
	branch->target = pc + sign_extended(distance, 21);
}

static void riscv_decode_compressed(const struct insn *in, uint32_t word, struct branch *branch)
{
	uint32_t form = word & 0xe003;
	uint32_t distance = riscv_bits(word, 12, 1) << 11 | riscv_bits(word, 8, 1) << 10 |
			    riscv_bits(word, 9, 2) << 8 | riscv_bits(word, 6, 1) << 7 |
			    riscv_bits(word, 7, 1) << 6 | riscv_bits(word, 2, 1) << 5 |
			    riscv_bits(word, 11, 1) << 4 | riscv_bits(word, 3, 3) << 1;

	if (form == C_J)
		branch->kind = BRANCH_JUMP;
	else if (form == C_JAL && !in->is_64bit)
		branch->kind = BRANCH_CALL;
	branch->target = in->pc + sign_extended(distance, 12);
}

size_t callscan_riscv(const struct insn *in, struct branch *branch)
{
	uint32_t word, next;

	if (in->left < 2)
		return 0;
	word = (uint32_t)bytes_uint(in->bytes, 2, false);
	if (riscv_bits(word, 0, 2) != 3) {
		riscv_decode_compressed(in, word, branch);
		return 2;
	}
	if (in->left < 4)
		return 0;
	word = (uint32_t)bytes_uint(in->bytes, 4, false);
	if (riscv_bits(word, 0, 7) == OP_JAL)
		riscv_decode_jal(word, in->pc, branch);
	if (riscv_bits(word, 0, 7) != OP_AUIPC || in->left < 8)
		return 4;
	next = (uint32_t)bytes_uint(in->bytes + 4, 4, false);
	if (riscv_bits(next, 0, 7) != OP_JALR || riscv_bits(next, 12, 3) != 0 ||
	    riscv_bits(next, 15, 5) != riscv_bits(word, 7, 5))
		return 4;
	branch->kind = riscv_kind_of_link(riscv_bits(next, 7, 5));
	branch->target =
		in->pc + sign_extended(word & 0xfffff000, 32) + sign_extended(next >> 20, 12);
	return 8;
}
