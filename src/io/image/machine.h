/* SPDX-License-Identifier: GPL-3.0-or-later */
/* All that is known of the machines that programs are made for: one row each. */
#ifndef IO_IMAGE_MACHINE_H
#define IO_IMAGE_MACHINE_H

#include "io/image/callscan_decode.h"
#include "model/target.h"

enum { MACHINE_ENTRIES = 3 };

struct machine {
	unsigned number;     /* as in e_machine */
	decode_fn *decode;   /* in callscan_<machine>.c */
	unsigned char unit;  /* how far to go on where no instruction is recognised, in bytes */
	bool sees_all;       /* decode() also knows calls and jumps to computed places */
	unsigned char delay; /* bytes of the instruction behind a call that is executed before it */
	bool thumb;          /* bit 0 of a function's address tells the kind of its code */
	const char *arch;    /* libbfd's name, with so many bits, for files that are not ELF; */
	unsigned char bits;  /* NULL where there are none that gprof reads */
	/* Where calls lead to, behind a function's symbol; a 0 that is not the first is none. */
	unsigned char entry[MACHINE_ENTRIES];
};

/* The row of an ELF machine number, or NULL. Linear in rows. */
const struct machine *machine_by_number(unsigned number);

/* That of a file of another format, by libbfd's name for its architecture. NULL if there is none.
 */
const struct machine *machine_by_arch(const char *arch, unsigned bits);

/* Whose numbers the system calls of Linux have on a machine of that number and width. */
enum target_calls machine_calls(unsigned number, unsigned bits);

/* The i-th distance of an entry from the symbol; false if there are not so many. */
static inline bool machine_entry(const struct machine *machine, size_t i, unsigned *distance)
{
	*distance = i < MACHINE_ENTRIES ? machine->entry[i] : 0;
	return i == 0 || *distance != 0;
}

#endif
