/* SPDX-License-Identifier: GPL-3.0-or-later */
/* AArch64: instructions of 4 bytes, little-endian whatever the order of the data. */
#include "config.h"

#include "io/image/callscan_decode.h"

static const struct branch_form forms[] = {
	{ 0xfc000000, 0x94000000, 0, 26, 4, BRANCH_CALL }, /* bl */
	{ 0xfc000000, 0x14000000, 0, 26, 4, BRANCH_JUMP }, /* b */
	{ 0xff000000, 0x54000000, 5, 19, 4, BRANCH_JUMP }, /* b.cond, bc.cond */
};

size_t callscan_aarch64(const struct insn *in, struct branch *branch)
{
	if (in->left < 4)
		return 0;
	callscan_match_forms(forms, sizeof(forms) / sizeof(forms[0]),
			     (uint32_t)cursor_bytes_uint(in->bytes, 4, false), in->pc, branch);
	return 4;
}
