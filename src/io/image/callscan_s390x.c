/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * IBM Z: instructions of 2, 4 or 6 bytes; the first two bits say which. A branch whose condition
 * mask is empty does nothing.
 */
#include "config.h"

#include "io/image/callscan_decode.h"

enum { RELATIVE_4_BYTES = 0xa7, RELATIVE_6_BYTES = 0xc0, BRC = 4, BRAS = 5 };

size_t callscan_s390x(const struct insn *in, struct branch *branch)
{
	static const unsigned char lengths[] = { 2, 4, 4, 6 };
	size_t length = lengths[in->bytes[0] >> 6];
	unsigned form, mask;

	if (in->left < length)
		return 0;
	if (in->bytes[0] != RELATIVE_4_BYTES && in->bytes[0] != RELATIVE_6_BYTES)
		return length;
	form = in->bytes[1] & 0xf;
	mask = in->bytes[1] >> 4;
	if (form == BRAS)
		branch->kind = BRANCH_CALL;
	else if (form == BRC && mask != 0)
		branch->kind = BRANCH_JUMP;
	else
		return length;
	branch->target =
		in->pc + 2 * callscan_sign_extended(
				     cursor_bytes_uint(in->bytes + 2, (unsigned)length - 2, true),
				     8 * ((unsigned)length - 2));
	return length;
}
