/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads gmon.out.live: the counts of a program that runs, or that ended before it could write
 * its profile. */
#ifndef IO_PROFILE_LIVE_READ_H
#define IO_PROFILE_LIVE_READ_H

#include "io/profile/records.h"

/* Whether the file has the magic number of gmon_live.h. */
bool live_has_magic(const struct records *r);

struct live_header {
	uint32_t version;
	uint32_t rate;
	uint64_t bias, low, high, entry;
};

/* Reads the header. Returns 0, or -1 after an error message. */
int live_read_header(struct records *r, struct live_header *header);

/*
 * Reads a whole file of the format gmon_live.h as if it were gmon.out: link-time addresses, call
 * sites instead of return addresses, and callers outside of the program replaced by its entry
 * point. Returns 0, or -1 after an error message.
 */
int live_read(struct records *r);

#endif
