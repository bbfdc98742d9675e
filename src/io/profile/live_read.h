/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The counts of a program that still runs, or ended before it could write its profile. */
#ifndef IO_PROFILE_LIVE_READ_H
#define IO_PROFILE_LIVE_READ_H

#include "io/profile/records.h"

/* Whether a file begins as gmon_live.h says. */
bool live_has_magic(const struct records *r);

struct live_header {
	uint32_t version;
	uint32_t rate;
	uint64_t bias, low, high, entry;
};

/* Reads the header. 0, or -1 with the reason said. */
int live_read_header(struct records *r, struct live_header *header);

/*
 * Reads a whole file of the format of gmon_live.h into what gmon.out would have held: addresses as
 * linked, call sites instead of return addresses, and calls from outside the program as calls from
 * its entry point. 0, or -1 with the reason said.
 */
int live_read(struct records *r);

#endif
