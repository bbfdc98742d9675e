/* SPDX-License-Identifier: MIT */
/*
 * The call-frame information of an object (the program, a library, the kernel's vdso), as the
 * linker leaves it in memory: .eh_frame_hdr, a sorted table, and .eh_frame. Sources: Linux Standard
 * Base, "Exception Frames"; DWARF 5, 6.4.1.
 *
 * No byte outside of the object's readable segments is read, whatever the object says.
 */
#ifndef UNWIND_EHFRAME_H
#define UNWIND_EHFRAME_H

#include <stdbool.h>
#include <stdint.h>

#include "unwind/eh_bytes.h"

struct eh_entry {
	int32_t code, frame; /* of a function's first byte and of its FDE, from `base` */
};

/* In run-time addresses. */
struct eh_object {
	uintptr_t low, high;               /* all of the object */
	uintptr_t text_low, text_high;     /* the largest segment of code that can be read */
	uintptr_t frames_low, frames_high; /* the segment of .eh_frame */
	const uint8_t *header;             /* .eh_frame_hdr; NULL: the table was made by us */
	uintptr_t base;
	const struct eh_entry *table; /* n, by address of code */
	size_t n;
	uintptr_t print; /* told by the above and the first bytes of the table */
};

/*
 * Fills in an object of n program headers (ElfW(Phdr)), `bias` being its run-time less its
 * link-time address. False: it has no table, or one of an unknown kind; then only low, high and the
 * text are set.
 */
bool ehframe_open(struct eh_object *object, uintptr_t bias, const void *headers, size_t n);

/* What print should be; changes if another object takes the same addresses. */
uintptr_t ehframe_print(const struct eh_object *object);

/* An address in one of the format's encodings; the reader is bad if it is unknown. */
uintptr_t ehframe_pointer(struct eh_bytes *bytes, unsigned encoding);

/* What is known of a function. */
struct eh_fde {
	uintptr_t low, high;         /* its code */
	struct eh_bytes first, code; /* programs: the one of all that share a CIE, and its own */
	uint64_t code_align;
	int64_t data_align;
	uint64_t ra;       /* DWARF's number of the return address's register */
	unsigned encoding; /* of addresses of code */
	bool exact;        /* it is no call that leads to the function below, but a signal */
};

/*
 * The FDE at an address; *next, if not NULL, is where in `bytes` the next one begins. False: it is
 * none, but a CIE, the end, or wrong.
 */
bool ehframe_read(const struct eh_object *object, uintptr_t at, struct eh_fde *fde,
		  uintptr_t *next);

/* The FDE of the function in which pc lies; false: none. O(log n). */
bool ehframe_find(const struct eh_object *object, uintptr_t pc, struct eh_fde *fde);

#endif
