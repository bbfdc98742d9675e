/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From the bytes of profile data files to a sum of profiles. */
#ifndef IO_PROFILE_GMON_READ_H
#define IO_PROFILE_GMON_READ_H

#include "base/diag.h"
#include "model/profile_sum.h"

/*
 * GMON_ANY: the magic word decides, else it is BSD. GMON_CURRENT: gmon.out, or, as the magic word
 * decides, the gmon.out.live of gmon_live.h. Of the formats of BSD, the version of 4.4BSD
 * decides, unless that is insisted on.
 */
enum gmon_format { GMON_ANY, GMON_CURRENT, GMON_LIVE, GMON_BSD, GMON_BSD44 };

/*
 * Whether a file that begins with the `size` bytes at `bytes` can be profile data. 0, or -1 with
 * the reason said.
 */
int gmon_check(const struct target *target, enum gmon_format format, const unsigned char *bytes,
	       size_t size, const char *name, struct diag *diag);

/* Whether a file that begins with these bytes is of the format of gmon.out. */
bool gmon_is_current(const unsigned char *bytes, size_t size);

/*
 * Whether a file that begins with these bytes is meant to be profile data, if perhaps damaged: it
 * has a magic word or the version of 4.4BSD; a format of BSD that is insisted on has to fit only.
 */
bool gmon_is_profile(const struct target *target, enum gmon_format format,
		     const unsigned char *bytes, size_t size);

/*
 * Adds one data file, `size` bytes at `bytes`, to the sum, whose target says how addresses are
 * written; what is kept lives in its arena and does not point into bytes. `name`, which must live
 * as long as the profile, is for messages and for the profile's files. 0, or -1 with the reason
 * said; the sum then is good for nothing but messages. The format is that of gmon_out.h, with
 * version 0 read as version 1. Linear in size.
 */
int gmon_read(struct profile_sum *sum, enum gmon_format format, const unsigned char *bytes,
	      size_t size, const char *name, struct diag *diag);

#endif
