/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the data files of BSD, which have no magic number. */
#ifndef IO_PROFILE_BSD_READ_H
#define IO_PROFILE_BSD_READ_H

#include "io/profile/records.h"

/* Numbers in the headers; see bsd_read(). */
enum { BSD44_VERSION = 0x00051879, BSD44_EXTRA_BYTES = 20, BSD44_RESERVED_BYTES = 12 };

/* Ticks a second for formats that do not say: those of this host. */
uint32_t bsd_host_rate(void);

/* Whether the bytes look like the 4.4BSD format. */
bool bsd_is_44(const struct records *r);

struct bsd_header {
	struct hist hist; /* its bins are not read yet */
	struct unit unit;
};

/* Reads the header of a BSD file. Returns 0, or -1 after saying why this is no BSD file. */
int bsd_read_header(struct records *r, bool is_44, struct bsd_header *header);

/*
 * Reads a whole file in the format of old BSD, or with is_44 of 4.4BSD: ptr low, ptr high, u32 size
 * of header and bins in bytes; in 4.4BSD also u32 0x00051879, u32 rate, 12 reserved bytes; then u16
 * bins; then up to the end of the file arcs of ptr call site, ptr callee, and a count as wide as a
 * pointer. An incomplete arc at the end is ignored. Returns 0, or -1 after an error message.
 */
int bsd_read(struct records *r, bool is_44);

#endif
