/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The machine code of an image, as values. */
#ifndef IO_IMAGE_CODE_H
#define IO_IMAGE_CODE_H

#include "model/profile.h"

struct code_section {
	uint64_t pc; /* address that the linker gave it */
	const unsigned char *bytes;
	size_t size;
};

/*
 * What a symbol says about the code at its address, whether it is in the table of functions or not.
 */
enum mark_kind {
	MARK_START,    /* an instruction begins here */
	MARK_FUNCTION, /* an instruction and a function begin here */
	MARK_LEFT_OUT, /* an instruction and a function begin here, whose name keeps it out of the
			  table */
	MARK_DATA,     /* data begin here */
	MARK_CODE,     /* code begins again */
	MARK_ARM,      /* code of the 32-bit ARM set begins */
	MARK_THUMB,    /* code of the Thumb set begins */
};

struct code_mark {
	uint64_t pc;
	enum mark_kind kind;
};

/* An entry of a linkage table (PLT) that leads to a function of the same image. */
struct code_stub {
	uint64_t pc, to_pc;
};

enum branch_kind {
	BRANCH_NONE,
	BRANCH_CALL,
	BRANCH_JUMP,    /* conditional or not */
	BRANCH_POINTER, /* a call through a pointer; the target is the pointer's address, or 0 */
	BRANCH_COMPUTED /* a jump to a computed address */
};

/* Each array is sorted by pc. */
struct code {
	const struct machine *machine; /* NULL: machine.h does not have it */
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
