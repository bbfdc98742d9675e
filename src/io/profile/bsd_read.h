/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The data files of BSD, which have no magic word. */
#ifndef IO_PROFILE_BSD_READ_H
#define IO_PROFILE_BSD_READ_H

#include "io/profile/records.h"

/* The fields of the headers; see bsd_read(). */
enum { BSD44_VERSION = 0x00051879, BSD44_EXTRA_BYTES = 20, BSD44_RESERVED_BYTES = 12 };

/* Ticks a second where a format does not tell: the host's. */
uint32_t bsd_host_rate(void);

/* Whether the bytes look like the 4.4BSD format. */
bool bsd_is_44(const struct records *r);

struct bsd_header {
	struct hist hist; /* without bins yet */
	struct unit unit;
};

/* Reads the header of a BSD file. 0, or -1 with the reason said if it cannot be one. */
int bsd_read_header(struct records *r, bool is_44, struct bsd_header *header);

/*
 * Reads a whole file of the format of old BSD, or with is_44 of 4.4BSD: ptr low, ptr high, u32
 * bytes of header and bins; 4.4BSD goes on with u32 0x00051879, u32 rate, 12 bytes reserved; then
 * u16 bins, then to the end arcs of ptr call site, ptr callee, ptr-wide count. A part of an arc at
 * the end is ignored. 0, or -1 with the reason said.
 */
int bsd_read(struct records *r, bool is_44);

#endif
