/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes a profile as a profile data file. */
#ifndef IO_PROFILE_GMON_WRITE_H
#define IO_PROFILE_GMON_WRITE_H

#include "base/output.h"
#include "io/fileids.h"
#include "io/profile/gmon_read.h"

/*
 * Writes prof to `path`, exactly as it was read: addresses are kept, calls with the same ends are
 * added up, and what is too large for the file's fields is divided among repeated records, which
 * all readers add up. GMON_ANY means the current format; of the formats of BSD, which have one
 * range and 16-bit bins, too much data is refused, and 4.4BSD's header is used as well where old
 * BSD's cannot tell the rate. Values that nobody can have counted, and that would take records
 * without end, are refused. The file appears under its name when it is complete; until then, and on
 * failure, an older one stays; it never takes the place of one of `inputs`. Beside it, stacks are
 * written to path.ext, which appears just before and replaces none of the data files either; if
 * some of these lack stacks, a warning tells; if all do, a file of stacks there is removed. 0, or
 * -1 with the reason said. Linear in bins, arcs and nodes.
 */
int gmon_write(const struct profile *prof, enum gmon_format format, const char *path,
	       const file_ids *inputs, const struct arena *mem, struct diag *diag);

/* Writes prof to out in the same way, without stacks; nothing if it is refused. 0, or -1 with
 * the reason said. */
int gmon_print(const struct profile *prof, enum gmon_format format, struct output *out,
	       const struct arena *mem);

#endif
