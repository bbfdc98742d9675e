/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * RISC-V, 32 and 64 bits: little-endian instructions of 2 or 4 bytes (longer ones are reserved). A
 * far call is a pair: auipc puts the upper part of the distance into a register, and jalr adds the
 * lower part and jumps there. It is a call if it saves the return address.
 */
#include "config.h"

#include "io/image/callscan_decode.h"

enum { OP_AUIPC = 0x17, OP_JALR = 0x67, OP_JAL = 0x6f, C_JAL = 0x2001, C_J = 0xa001 };

static unsigned callscan_riscv_bits(uint32_t word, unsigned from, unsigned n)
{
	return word >> from & ((1u << n) - 1);
}

static enum branch_kind callscan_riscv_kind_of_link(unsigned reg)
{
	return reg ? BRANCH_CALL : BRANCH_JUMP;
}

static void callscan_riscv_decode_jal(uint32_t word, uint64_t pc, struct branch *branch)
{
	uint32_t distance =
		callscan_riscv_bits(word, 31, 1) << 20 | callscan_riscv_bits(word, 12, 8) << 12 |
		callscan_riscv_bits(word, 20, 1) << 11 | callscan_riscv_bits(word, 21, 10) << 1;

	branch->kind = callscan_riscv_kind_of_link(callscan_riscv_bits(word, 7, 5));
	branch->target = pc + callscan_sign_extended(distance, 21);
}

static void callscan_riscv_decode_compressed(const struct insn *in, uint32_t word,
					     struct branch *branch)
{
	uint32_t form = word & 0xe003;
	uint32_t distance =
		callscan_riscv_bits(word, 12, 1) << 11 | callscan_riscv_bits(word, 8, 1) << 10 |
		callscan_riscv_bits(word, 9, 2) << 8 | callscan_riscv_bits(word, 6, 1) << 7 |
		callscan_riscv_bits(word, 7, 1) << 6 | callscan_riscv_bits(word, 2, 1) << 5 |
		callscan_riscv_bits(word, 11, 1) << 4 | callscan_riscv_bits(word, 3, 3) << 1;

	if (form == C_J)
		branch->kind = BRANCH_JUMP;
	else if (form == C_JAL && !in->is_64bit)
		branch->kind = BRANCH_CALL;
	branch->target = in->pc + callscan_sign_extended(distance, 12);
}

size_t callscan_riscv(const struct insn *in, struct branch *branch)
{
	uint32_t word, next;

	if (in->left < 2)
		return 0;
	word = (uint32_t)cursor_bytes_uint(in->bytes, 2, false);
	if (callscan_riscv_bits(word, 0, 2) != 3) {
		callscan_riscv_decode_compressed(in, word, branch);
		return 2;
	}
	if (in->left < 4)
		return 0;
	word = (uint32_t)cursor_bytes_uint(in->bytes, 4, false);
	if (callscan_riscv_bits(word, 0, 7) == OP_JAL)
		callscan_riscv_decode_jal(word, in->pc, branch);
	if (callscan_riscv_bits(word, 0, 7) != OP_AUIPC || in->left < 8)
		return 4;
	next = (uint32_t)cursor_bytes_uint(in->bytes + 4, 4, false);
	if (callscan_riscv_bits(next, 0, 7) != OP_JALR || callscan_riscv_bits(next, 12, 3) != 0 ||
	    callscan_riscv_bits(next, 15, 5) != callscan_riscv_bits(word, 7, 5))
		return 4;
	branch->kind = callscan_riscv_kind_of_link(callscan_riscv_bits(next, 7, 5));
	branch->target = in->pc + callscan_sign_extended(word & 0xfffff000, 32) +
			 callscan_sign_extended(next >> 20, 12);
	return 8;
}
