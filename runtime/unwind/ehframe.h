/* SPDX-License-Identifier: MIT */
/*
 * The call-frame information of an object (the program, a library, the kernel's vdso) in memory:
 * .eh_frame has one frame description entry (FDE) for each function and common information entries
 * (CIE) that FDEs share; .eh_frame_hdr has a table of FDEs, sorted by the functions' addresses.
 * Sources: Linux Standard Base, "Exception Frames"; DWARF 5, 6.4.1.
 *
 * Only the object's readable segments are read, whatever the information says, and all of it by
 * base/readable.h: the object may be unloaded at any moment. But for who knows that it is not, and
 * gives no struct readable.
 */
#ifndef UNWIND_EHFRAME_H
#define UNWIND_EHFRAME_H

#include <stdbool.h>
#include <stdint.h>

#include "unwind/eh_bytes.h"

struct eh_entry {
	int32_t code, frame; /* a function's first byte and its FDE, counted from `base` */
};

/* An object; addresses are run-time ones. */
struct eh_object {
	uintptr_t low, high;               /* all of the object */
	uintptr_t text_low, text_high;     /* its largest readable segment of code */
	uintptr_t frames_low, frames_high; /* the segment in which .eh_frame lies */
	uintptr_t header;                  /* .eh_frame_hdr; 0: eh_index.h made the table */
	uintptr_t base;                    /* offsets in this object count from here */
	uintptr_t table;                   /* n struct eh_entry, sorted by `code` */
	size_t n;
	uintptr_t fingerprint; /* odd; a hash of the addresses and of the table's first bytes */
};

/*
 * Fills in an object from a copy of its n program headers (ElfW(Phdr)). `bias`: its run-time
 * address minus its link-time address. False: it has no table, or one in an unknown encoding; then
 * n is 0 and only low, high and the text are set.
 */
bool ehframe_open(struct eh_object *object, uintptr_t bias, const void *headers, size_t n);

/*
 * Computes the fingerprint, which differs if another object now lies at the same addresses; 0: the
 * table cannot be read. One system call.
 */
uintptr_t ehframe_fingerprint(const struct eh_object *object);

/* A reader of the bytes at the addresses [at, end), in an object. */
static inline struct eh_bytes ehframe_bytes(const struct eh_object *object,
					    struct readable *readable, uintptr_t at, uintptr_t end)
{
	return (struct eh_bytes){ readable, object->fingerprint, at, end, false };
}

/* Reads an entry of the table. False: it cannot be read. */
static inline bool ehframe_entry(const struct eh_object *object, struct readable *readable,
				 size_t i, struct eh_entry *entry)
{
	return eh_copy(readable, object->fingerprint, object->table + i * sizeof(*entry),
		       (uint8_t *)entry, sizeof(*entry));
}

/* Reads an address in one of the format's encodings; sets bytes->bad if that is unknown. */
uintptr_t ehframe_pointer(struct eh_bytes *bytes, unsigned encoding);

/* An FDE together with its CIE. */
struct eh_fde {
	uintptr_t low, high;   /* the function's code: [low, high) */
	struct eh_bytes first; /* the CIE's program */
	struct eh_bytes code;  /* the FDE's program, which runs after it */
	uint64_t code_align;   /* factors of operands */
	int64_t data_align;
	uint64_t ra;       /* DWARF's number of the return address's register */
	unsigned encoding; /* of addresses of code in the FDE */
	bool signal;       /* a signal, and no call, leads to the next frame inwards */
	bool augmented;    /* the FDE has augmentation data */
	uintptr_t cie;     /* where the CIE is, once it was read */
};

/*
 * Reads the FDE at an address of .eh_frame. *next, if `next` is not NULL, becomes the address of
 * the entry after it. False: the entry is a CIE, the terminator (*next is unchanged), or damaged.
 */
bool ehframe_read(const struct eh_object *object, struct readable *readable, uintptr_t at,
		  struct eh_fde *fde, uintptr_t *next);

/*
 * The same for many FDEs of an object that stays loaded, one after another: *fde has what the call
 * before has left there, or cie = 0. A CIE is read only if it is another one than that FDE had.
 */
bool ehframe_read_next(const struct eh_object *object, uintptr_t at, struct eh_fde *fde);

/* Finds the FDE of the function in which pc lies. False: there is none. O(log n). */
bool ehframe_find(const struct eh_object *object, struct readable *readable, uintptr_t pc,
		  struct eh_fde *fde);

#endif
