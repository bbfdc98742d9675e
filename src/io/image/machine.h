/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The machines that programs are made for: one row each. */
#ifndef IO_IMAGE_MACHINE_H
#define IO_IMAGE_MACHINE_H

#include "io/image/callscan_decode.h"
#include "model/target.h"

enum { MACHINE_ENTRIES = 3 };

struct machine {
	unsigned number;    /* e_machine */
	decode_fn *decode;  /* in callscan_<machine>.c */
	unsigned char unit; /* bytes to skip if no instruction is recognized */
	bool sees_all;      /* decode() also reports calls and jumps to computed addresses */
	/* size of the instruction after a call that runs before it (a delay slot) */
	unsigned char delay;
	bool thumb;       /* bit 0 of a function's address is its instruction set (ARM or Thumb) */
	const char *arch; /* for files that are not ELF: libbfd's name of the architecture */
	unsigned char bits; /* and its bits; NULL: gprof reads no such files for this machine */
	/*
	 * Where calls may lead to, in bytes after a function's symbol; a 0 after the first is
	 * unused.
	 */
	unsigned char entry[MACHINE_ENTRIES];
};

/* Returns the row of an ELF machine number, or NULL. Linear in rows. */
const struct machine *machine_by_number(unsigned number);

/* Returns the row for a file that is not ELF, by libbfd's name of its architecture, or NULL. */
const struct machine *machine_by_arch(const char *arch, unsigned bits);

/* Returns which table of system call numbers Linux has for a machine of this number and width. */
enum target_calls machine_calls(unsigned number, unsigned bits);

/* Gets the i-th distance of an entry from the symbol; returns false if there are fewer. */
static inline bool machine_entry(const struct machine *machine, size_t i, unsigned *distance)
{
	*distance = i < MACHINE_ENTRIES ? machine->entry[i] : 0;
	return i == 0 || *distance != 0;
}

#endif
