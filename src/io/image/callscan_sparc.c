/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPARC, 32 and 64 bits: big-endian instructions of 4 bytes. */
#include "config.h"

#include "io/image/callscan_decode.h"

static const struct branch_form forms[] = {
	{ 0xc0000000, 0x40000000, 0, 30, 4, BRANCH_CALL }, /* call */
	{ 0xdfc00000, 0x10800000, 0, 22, 4, BRANCH_JUMP }, /* ba */
	{ 0xdfc00000, 0x10400000, 0, 19, 4, BRANCH_JUMP }, /* ba %icc, ba %xcc */
};

size_t callscan_sparc(const struct insn *in, struct branch *branch)
{
	if (in->left < 4)
		return 0;
	callscan_match_forms(forms, sizeof(forms) / sizeof(forms[0]),
			     (uint32_t)cursor_bytes_uint(in->bytes, 4, true), in->pc, branch);
	return 4;
}
