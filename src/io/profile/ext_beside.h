/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The file of call stacks beside a data file. */
#ifndef IO_PROFILE_EXT_BESIDE_H
#define IO_PROFILE_EXT_BESIDE_H

#include "io/file.h"
#include "model/profile_sum.h"

/* The name of the file that goes with the data file of this name, in mem. */
const char *ext_beside_name(const char *path, struct arena *mem);

/*
 * Adds to the sum what lies beside its last file, which was read from `path` and had these bytes:
 * stacks, or that there are none, if it has none itself. There are none beside what is no regular
 * file, and what cannot be read or is of another profile is ignored with a warning. 0, or -1 with
 * the reason said if the sum would be too large; it is good for nothing then. Linear in the bytes
 * of both.
 */
int ext_beside_read(struct profile_sum *sum, const char *path, const struct file *profile,
		    struct diag *diag);

#endif
