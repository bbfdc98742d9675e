/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Names and lines of code that was made at run time, from jit-PID.dump (jitdump-specification.txt
 * of Linux's perf, version 1), a binary log of code that was loaded or moved. Node, LLVM, PHP,
 * Python 3.13 and an agent for Java write it.
 */
#ifndef IO_PROFILE_JITDUMP_H
#define IO_PROFILE_JITDUMP_H

#include "io/profile/made_names.h"

/*
 * Adds the names and lines that n bytes in either byte order tell, which must last as long as
 * *names. Where code overlaps, the later record counts; moved code keeps its name and lines at its
 * old place, too, as samples do not tell their time. If no line is nearer to the start of its code
 * than an ELF header is long, all are that much too far, as V8's are. Lines that are not in their
 * code are left out. Returns the offset of the first record that is not whole, of which and of
 * those after it nothing is used; or n. n log n in records, addresses and lines; takes memory from
 * mem for a while.
 */
size_t jitdump_apply(struct made_names *names, const unsigned char *bytes, size_t n,
		     const struct arena *mem);

#endif
