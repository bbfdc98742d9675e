/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The machine code of an image, as values. */
#ifndef IO_IMAGE_CODE_H
#define IO_IMAGE_CODE_H

#include "model/profile.h"

struct code_section {
	uint64_t pc; /* where it is linked to run */
	const unsigned char *bytes;
	size_t size;
};

/* What a symbol, in the table of functions or not, says about the code that begins at it. */
enum mark_kind {
	MARK_START,    /* an instruction begins here */
	MARK_FUNCTION, /* and so does a function */
	MARK_LEFT_OUT, /* and so does a function that its name keeps out of the table */
	MARK_DATA,     /* data among the code */
	MARK_CODE,     /* code again */
	MARK_ARM,      /* likewise, of the 32-bit ARM set */
	MARK_THUMB,    /* likewise, of the Thumb set */
};

struct code_mark {
	uint64_t pc;
	enum mark_kind kind;
};

/* An entry of a linkage table that leads to a function of the same image. */
struct code_stub {
	uint64_t pc, to_pc;
};

enum branch_kind {
	BRANCH_NONE,
	BRANCH_CALL,
	BRANCH_JUMP,    /* conditional or not */
	BRANCH_POINTER, /* a call to where a pointer leads; the target is its address, or 0 */
	BRANCH_COMPUTED /* a jump to wherever */
};

/* Each array is sorted by pc. */
struct code {
	const struct machine *machine; /* NULL: none that machine.h knows */
	unsigned flags;                /* e_flags as ELF has them */
	struct target target;
	const struct code_section *sections;
	size_t nsections;
	const struct code_mark *marks;
	size_t nmarks;
	const struct code_stub *stubs;
	size_t nstubs;
};

#endif
