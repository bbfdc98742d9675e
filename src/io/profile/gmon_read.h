/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the bytes of profile data files, of any format, into a sum of profiles. */
#ifndef IO_PROFILE_GMON_READ_H
#define IO_PROFILE_GMON_READ_H

#include "base/diag.h"
#include "model/profile_sum.h"

/*
 * GMON_ANY: gmon.out or gmon.out.live by the magic number, else BSD. GMON_CURRENT: gmon.out or
 * gmon.out.live by the magic number. Of BSD's formats, 4.4BSD is recognised by its version number
 * unless one is demanded.
 */
enum gmon_format { GMON_ANY, GMON_CURRENT, GMON_LIVE, GMON_BSD, GMON_BSD44 };

/*
 * Checks whether a file that begins with these `size` bytes can be profile data. Returns 0, or -1
 * after an error message.
 */
int gmon_check(const struct target *target, enum gmon_format format, const unsigned char *bytes,
	       size_t size, const char *name, struct diag *diag);

/* Whether a file that begins with these bytes is in the format of gmon.out. */
bool gmon_is_current(const unsigned char *bytes, size_t size);

/*
 * Whether a file that begins with these bytes was written as profile data, even if damaged: it has
 * a magic number or the version of 4.4BSD; or it fits the format of BSD that is demanded.
 */
bool gmon_is_profile(const struct target *target, enum gmon_format format,
		     const unsigned char *bytes, size_t size);

/*
 * Adds one data file, `size` bytes at `bytes`, to the sum, whose target says how addresses are
 * written. What is kept lives in the sum's arena and does not point into bytes. `name`, which must
 * live as long as the profile, is used in messages and in the profile's list of files. Returns 0,
 * or -1 after an error message; the sum can then only be used for messages. The format is that of
 * gmon_out.h; version 0 is read as version 1. Linear in size.
 */
int gmon_read(struct profile_sum *sum, enum gmon_format format, const unsigned char *bytes,
	      size_t size, const char *name, struct diag *diag);

#endif
