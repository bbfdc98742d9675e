/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Alpha: little-endian instructions of 4 bytes; distances count from the next instruction. */
#include "config.h"

#include "io/image/callscan_decode.h"

static const struct branch_form forms[] = {
	{ 0xfc000000, 0xd0000000, 0, 21, 4, BRANCH_CALL }, /* bsr */
	{ 0xfc000000, 0xc0000000, 0, 21, 4, BRANCH_JUMP }, /* br */
};

size_t callscan_alpha(const struct insn *in, struct branch *branch)
{
	if (in->left < 4)
		return 0;
	callscan_match_forms(forms, sizeof(forms) / sizeof(forms[0]),
			     (uint32_t)cursor_bytes_uint(in->bytes, 4, false), in->pc + 4, branch);
	return 4;
}
