/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the readers of the data file formats share. */
#ifndef IO_RECORDS_H
#define IO_RECORDS_H

#include "base/cursor.h"
#include "model/profile.h"

/* The fields of BSD's headers; see read_bsd(). */
enum { BSD44_VERSION = 0x00051879, BSD44_EXTRA_BYTES = 20, BSD44_RESERVED_BYTES = 12 };

enum { BIN_BYTES = 2 };

/* Ticks a second where a format does not tell: the host's. */
uint32_t bsd_rate(void);

/* A data file on its way into a profile. */
struct reader {
	struct cursor in;
	struct profile *prof;
	struct profile_file *file;
	struct arena *mem;
	size_t record_at; /* where the present record began */
};

/* The next address, as wide as the target's pointers, or 0 as cursor_need() says. */
uint64_t read_pointer(struct reader *r, const char *what);

/*
 * Reads the bins of a histogram like `like`, each of bin_bytes, and adds them to those that the
 * profile has. 0, or -1 with the reason said.
 */
int read_bins(struct reader *r, const struct hist *like, const struct unit *unit,
	      unsigned bin_bytes);

/* Adds call-graph records, or a basic block. 0, or -1 with the reason said. */
int add_arcs(struct reader *r, const struct raw_arc *arcs, size_t n);
int add_block(struct reader *r, const struct raw_block *block);

struct bsd_header {
	struct hist hist; /* without bins yet */
	struct unit unit;
};

/* Reads the header of a BSD file. 0, or -1 with the reason said if it cannot be one. */
int read_bsd_header(struct reader *r, bool is_44, struct bsd_header *header);

/*
 * Reads a whole file of the format of old BSD, or with is_44 of 4.4BSD: ptr low, ptr high, u32
 * bytes of header and bins; 4.4BSD goes on with u32 0x00051879, u32 rate, 12 bytes reserved; then
 * u16 bins, then to the end arcs of ptr call site, ptr callee, ptr-wide count. A part of an arc at
 * the end is ignored. 0, or -1 with the reason said.
 */
int read_bsd(struct reader *r, bool is_44);

/* Whether the bytes look like the 4.4BSD format. */
bool looks_like_bsd44(const struct reader *r);

#endif
