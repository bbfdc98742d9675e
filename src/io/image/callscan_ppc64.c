/* SPDX-License-Identifier: GPL-3.0-or-later */
/* PowerPC, 64 bits: instructions of 4 bytes, or of 8 if they begin with opcode 1. */
#include "config.h"

#include "io/image/callscan_decode.h"

static const struct branch_form forms[] = {
	{ 0xfc000003, 0x48000001, 2, 24, 4, BRANCH_CALL }, /* bl */
	{ 0xfc000003, 0x48000000, 2, 24, 4, BRANCH_JUMP }, /* b */
	{ 0xfc000003, 0x40000000, 2, 14, 4, BRANCH_JUMP }, /* bc */
};

size_t callscan_ppc64(const struct insn *in, struct branch *branch)
{
	uint32_t word;

	if (in->left < 4)
		return 0;
	word = (uint32_t)cursor_bytes_uint(in->bytes, 4, in->big_endian);
	if (word >> 26 == 1)
		return in->left < 8 ? 0 : 8;
	callscan_match_forms(forms, sizeof(forms) / sizeof(forms[0]), word, in->pc, branch);
	return 4;
}
