/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * MIPS, 32 and 64 bits: instructions of 4 bytes; distances count from the next instruction. jal and
 * j hold the low 28 bits of the target; the upper bits are those of the next instruction's address.
 * The 16-bit instruction sets are not decoded, so code in them has no calls.
 */
#include "config.h"

#include "io/image/callscan_decode.h"

enum { ALL_MICROMIPS = 0x02000000, ARCH_32R6 = 9, ARCH_64R6 = 10 };

static const struct branch_form forms[] = {
	{ 0xffff0000, 0x04110000, 0, 16, 4, BRANCH_CALL }, /* bal */
	{ 0xffff0000, 0x10000000, 0, 16, 4, BRANCH_JUMP }, /* b */
};

/*
 * Branches that exist since release 6; before, these words were loads and stores of coprocessor 2.
 */
static const struct branch_form forms_r6[] = {
	{ 0xfc000000, 0xe8000000, 0, 26, 4, BRANCH_CALL }, /* balc */
	{ 0xfc000000, 0xc8000000, 0, 26, 4, BRANCH_JUMP }, /* bc */
};

size_t callscan_mips(const struct insn *in, struct branch *branch)
{
	unsigned arch = in->flags >> 28;
	uint32_t word;

	if (in->left < 4)
		return 0;
	if (in->flags & ALL_MICROMIPS)
		return 4;
	word = (uint32_t)cursor_bytes_uint(in->bytes, 4, in->big_endian);
	if (word >> 27 == 1) { /* j, jal */
		branch->kind = word >> 26 & 1 ? BRANCH_CALL : BRANCH_JUMP;
		branch->target = ((in->pc + 4) & ~UINT64_C(0xfffffff)) | (word & 0x3ffffff) << 2;
		return 4;
	}
	callscan_match_forms(forms, sizeof(forms) / sizeof(forms[0]), word, in->pc + 4, branch);
	if (arch == ARCH_32R6 || arch == ARCH_64R6)
		callscan_match_forms(forms_r6, sizeof(forms_r6) / sizeof(forms_r6[0]), word,
				     in->pc + 4, branch);
	return 4;
}
