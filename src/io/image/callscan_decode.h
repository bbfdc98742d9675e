/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What callscan.c and the decoders of the machines share. */
#ifndef IO_IMAGE_CALLSCAN_DECODE_H
#define IO_IMAGE_CALLSCAN_DECODE_H

#include "base/cursor.h"
#include "io/image/code.h"

/*
 * The bytes from the start of an instruction up to the next address where an instruction is known
 * to begin; `left` is at least 1.
 */
struct insn {
	const unsigned char *bytes;
	size_t left;
	uint64_t pc;
	unsigned flags; /* the image's e_flags */
	bool is_64bit;  /* addresses have 64 bits */
	bool big_endian;
	bool thumb;
};

struct branch {
	enum branch_kind kind;
	uint64_t target; /* if pointers have fewer than 64 bits, the upper bits have any value */
};

/*
 * A decoder: returns the length of the instruction, or 0 if the bytes are no complete instruction.
 * *branch is BRANCH_NONE on entry; it is set if the instruction is a direct call or jump. The
 * decoders of x86 also set it for those through pointers.
 */
typedef size_t decode_fn(const struct insn *in, struct branch *branch);

decode_fn callscan_aarch64, callscan_alpha, callscan_arm, callscan_i386, callscan_mips,
	callscan_ppc64, callscan_riscv, callscan_s390x, callscan_sparc, callscan_x86_64;

/* The low `width` bits of value as a signed number. */
static inline uint64_t callscan_sign_extended(uint64_t value, unsigned width)
{
	uint64_t sign = UINT64_C(1) << (width - 1);

	return ((value & (2 * sign - 1)) ^ sign) - sign;
}

/* An instruction of 32 bits that branches relative to its own address. */
struct branch_form {
	uint32_t mask, match;
	unsigned shift, width; /* position in the word of the distance, a signed number */
	unsigned unit;         /* bytes that the distance counts in */
	enum branch_kind kind;
};

/* Whether the word has this form. If so, sets *branch, with the distance counted from `from`. */
static inline bool callscan_match_form(const struct branch_form *form, uint32_t word, uint64_t from,
				       struct branch *branch)
{
	if ((word & form->mask) != form->match)
		return false;
	branch->kind = form->kind;
	branch->target = from + callscan_sign_extended(word >> form->shift, form->width) *
					(uint64_t)form->unit;
	return true;
}

static inline void callscan_match_forms(const struct branch_form *forms, size_t n, uint32_t word,
					uint64_t from, struct branch *branch)
{
	for (size_t i = 0; i < n; i++) {
		if (callscan_match_form(&forms[i], word, from, branch))
			return;
	}
}

#endif
