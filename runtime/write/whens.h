/* SPDX-License-Identifier: MIT */
/*
 * The slices of the time (record/slices.h) for gmon.out.ext. Async-signal-safe; linear in cells.
 */
#ifndef WRITE_WHENS_H
#define WRITE_WHENS_H

#include <stdbool.h>
#include <stdint.h>

#include "count/table.h"
#include "write/file.h"

/* Ticks in slices, all of one length; all zero: there are none. */
struct whens {
	struct table *table; /* as in blocks of slices, but the level of all cells is 0 */
	uint32_t level;      /* the slices' */
	uint32_t slices;     /* how many slices there are */
	uint32_t n;          /* records of ticks in slices */
};

/* Adds up the slices of all threads, before their samples are. Returns false: no memory. */
bool whens_collect(struct whens *whens);

/*
 * Counts the records. `samples` is a private table, in which the number (table_number()) of a cell
 * that is written is that of its sample, from 1; 0: it is not written.
 */
void whens_count(struct whens *whens, struct table *samples);

/* Puts the record of the timeline, and those of the slices: sections TIME and WHEN. */
void whens_put_timeline(struct file_writer *file, const struct whens *whens);
void whens_put(struct file_writer *file, const struct whens *whens, struct table *samples);

/* Frees what whens_collect() has made. */
void whens_free(struct whens *whens);

#endif
