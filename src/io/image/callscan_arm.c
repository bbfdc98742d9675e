/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ARM (32 bits) has instructions of 4 bytes, Thumb of 2 or 4. Distances count from two instructions
 * further on. In big-endian images the code is little-endian if the flags in the header say so.
 */
#include "config.h"

#include "io/image/callscan_decode.h"

enum { LITTLE_ENDIAN_CODE = 0x00800000, COND_ALWAYS = 14, COND_NONE = 15 };

static const struct branch_form arm_forms[] = {
	{ 0x0f000000, 0x0b000000, 0, 24, 4, BRANCH_CALL }, /* bl */
	{ 0x0f000000, 0x0a000000, 0, 24, 4, BRANCH_JUMP }, /* b */
};

static const struct branch_form blx_form = { 0xfe000000, 0xfa000000, 0, 24, 4, BRANCH_CALL };

static const struct branch_form short_form = { 0xf800, 0xe000, 0, 11, 2, BRANCH_JUMP };

static void callscan_arm_decode_word(uint32_t word, uint64_t pc, struct branch *branch)
{
	if (word >> 28 != COND_NONE)
		callscan_match_forms(arm_forms, 2, word, pc + 8, branch);
	else if (callscan_match_form(&blx_form, word, pc + 8, branch))
		branch->target += word >> 23 & 2;
}

/* The two halfwords of bl, of blx, or of a wide b. */
static void callscan_arm_decode_pair(uint32_t first, uint32_t second, uint64_t pc,
				     struct branch *branch)
{
	uint32_t sign = first >> 10 & 1, j1 = second >> 13 & 1, j2 = second >> 11 & 1;
	uint32_t low = (second & 0x7ff) << 1;
	uint32_t distance = sign << 24 | (j1 ^ sign ^ 1) << 23 | (j2 ^ sign ^ 1) << 22 |
			    (first & 0x3ff) << 12 | low;

	if (first >> 11 != 0x1e || second >> 15 == 0)
		return;
	branch->target = pc + 4 + callscan_sign_extended(distance, 25);
	switch (second >> 12 & 5) {
	case 5: /* bl */
		branch->kind = BRANCH_CALL;
		break;
	case 4: /* blx, which calls code of the ARM set */
		branch->kind = BRANCH_CALL;
		branch->target &= ~UINT64_C(3);
		break;
	case 1:
		branch->kind = BRANCH_JUMP;
		break;
	default:
		if ((first >> 6 & 0xf) >= COND_ALWAYS) /* no branch */
			return;
		branch->kind = BRANCH_JUMP;
		distance = sign << 20 | j2 << 19 | j1 << 18 | (first & 0x3f) << 12 | low;
		branch->target = pc + 4 + callscan_sign_extended(distance, 21);
	}
}

size_t callscan_arm(const struct insn *in, struct branch *branch)
{
	bool big_endian = in->big_endian && !(in->flags & LITTLE_ENDIAN_CODE);
	uint32_t first;

	if (!in->thumb) {
		if (in->left < 4)
			return 0;
		callscan_arm_decode_word((uint32_t)cursor_bytes_uint(in->bytes, 4, big_endian),
					 in->pc, branch);
		return 4;
	}
	if (in->left < 2)
		return 0;
	first = (uint32_t)cursor_bytes_uint(in->bytes, 2, big_endian);
	if (first >> 11 < 0x1d) {
		callscan_match_form(&short_form, first, in->pc + 4, branch);
		return 2;
	}
	if (in->left < 4)
		return 0;
	callscan_arm_decode_pair(first, (uint32_t)cursor_bytes_uint(in->bytes + 2, 2, big_endian),
				 in->pc, branch);
	return 4;
}
