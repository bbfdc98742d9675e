/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the readers of the data file formats share. */
#ifndef IO_PROFILE_RECORDS_H
#define IO_PROFILE_RECORDS_H

#include "base/cursor.h"
#include "model/profile_sum.h"

enum { BIN_BYTES = 2 };

/* A data file on its way into a sum. */
struct records {
	struct cursor in;
	const struct target *target;
	struct profile_sum *sum; /* NULL where only the file's start is looked at */
	struct profile_file *file;
	size_t record_at; /* where the present record began */
	/* Of gmon.out: what the header says of the order of arcs, and what it is so far. */
	bool has_stamp;
	uint64_t stamp, arcs_stamp;
};

/* The next address, as wide as the target's pointers, or 0 as cursor_need() says. */
uint64_t records_read_pointer(struct records *r, const char *what);

/*
 * Reads the bins of a histogram like `like`, each of bin_bytes, and adds them to those that the
 * sum has. 0, or -1 with the reason said.
 */
int records_read_bins(struct records *r, const struct hist *like, const struct unit *unit,
		      unsigned bin_bytes);

/* Adds call-graph records, or a basic block. 0, or -1 with the reason said. */
int records_add_arcs(struct records *r, const struct raw_arc *arcs, size_t n);
int records_add_block(struct records *r, const struct raw_block *block);

#endif
