/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes a profile as a profile data file. */
#ifndef IO_PROFILE_GMON_WRITE_H
#define IO_PROFILE_GMON_WRITE_H

#include "base/output.h"
#include "io/fileids.h"
#include "io/profile/gmon_read.h"

/*
 * Writes prof to `path` with all that was recorded: addresses are kept, calls with the same ends
 * are added up, and what is too large for a field is divided among repeated records, which all
 * readers add up. GMON_ANY means the current format. The formats of BSD have one range and bins of
 * 16 bits, so too much data is refused; if old BSD's header cannot give the rate, that of 4.4BSD is
 * written. Values that nobody can have counted, which would take endless records, are refused. The
 * file gets its name when it is complete; until then, and on failure, an older one stays. It never
 * replaces one of `inputs`. Stacks are written beside it, to path.ext, as newfile_close_pair()
 * does; that replaces none of `inputs` either. If some recordings lack stacks, a warning says so;
 * if all do, an old path.ext is removed. Returns 0, or -1 after an error message. Linear in bins,
 * arcs and nodes.
 */
int gmon_write(const struct profile *prof, enum gmon_format format, const char *path,
	       const file_ids *inputs, const struct arena *mem, struct diag *diag);

/*
 * Writes prof to out in the same way, without stacks; nothing if it is refused. Returns 0, or -1
 * after an error message.
 */
int gmon_print(const struct profile *prof, enum gmon_format format, struct output *out,
	       const struct arena *mem);

#endif
