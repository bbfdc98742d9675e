/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the readers of all data file formats share. */
#ifndef IO_PROFILE_RECORDS_H
#define IO_PROFILE_RECORDS_H

#include "base/cursor.h"
#include "model/profile_sum.h"

enum { BIN_BYTES = 2 };

/* A data file that is being read into a sum. */
struct records {
	struct cursor in;
	const struct target *target;
	struct profile_sum *sum; /* NULL if only the start of the file is checked */
	struct profile_file *file;
	size_t record_at; /* offset of the current record */
	/* Of gmon.out: the stamp of the arcs' order in the header, and the one computed so far. */
	bool has_stamp;
	uint64_t stamp, arcs_stamp;
};

/*
 * Returns the next address, as wide as the target's pointers; 0 if it is cut short, as
 * cursor_need() reports.
 */
static inline uint64_t records_read_pointer(struct records *r, const char *what)
{
	return target_wrap(r->target, cursor_uint(&r->in, r->target->ptr_size, what));
}

/*
 * Reads the bins, of bin_bytes each, of a histogram with the range of `like`, and adds them to the
 * sum's histogram of this range. Returns 0, or -1 after an error message.
 */
int records_read_bins(struct records *r, const struct hist *like, const struct unit *unit,
		      unsigned bin_bytes);

/* Both add to the sum: arcs, or a basic block. Both return 0, or -1 after an error message. */
int records_add_arcs(struct records *r, const struct raw_arc *arcs, size_t n);
int records_add_block(struct records *r, const struct raw_block *block);

#endif
