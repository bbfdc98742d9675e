/* SPDX-License-Identifier: MIT */
/*
 * The format of gmon.out, version 1: what -pg programs write and profilers read.
 *
 * A file is a header and records, each a tag byte and a body without padding, up to the end of the
 * file. Numbers are in the byte order of the profiled machine, addresses (ptr) as wide as its
 * pointers. Records of one kind may repeat; their counts add up. A reader stops at a tag it does
 * not know.
 *
 *   header         20 bytes: GMON_MAGIC, u32 version, u32 flags, 8 bytes zero
 *   GMON_HIST      ptr low, ptr high, u32 bins, u32 ticks a second, 15 bytes dimension ("seconds",
 *                  filled with NUL), 1 byte abbreviation ('s'), then u16 ticks for each bin
 *   GMON_ARC       ptr call site, ptr callee, u32 calls
 *   GMON_BLOCKS    u32 n, then n times: ptr address, ptr executions
 *
 * A histogram's bins divide [low, high) evenly. One of two bins for the addresses from
 * GMON_UNKNOWN_BEFORE to GMON_UNKNOWN_BEFORE / 2 bytes before the end of all, where no code is, has
 * in the first the ticks of time for which no sample was taken: it belongs to no function.
 *
 * Flags that a reader does not know tell it nothing; the C library's -pg writes 0, and GNU gprof
 * reads over them. GMON_IN_ORDER: the records of arcs stand in the order in which the program first
 * made these calls. (Several records of one arc count from the first on.)
 */
#ifndef GMON_OUT_H
#define GMON_OUT_H

#define GMON_MAGIC   "gmon"
#define GMON_VERSION 1

enum { GMON_HEADER_BYTES = 20, GMON_DIMENSION_BYTES = 15 };

enum gmon_flags { GMON_IN_ORDER = 1 };

enum { GMON_UNKNOWN_BEFORE = 8 };

enum gmon_tag { GMON_HIST = 0, GMON_ARC = 1, GMON_BLOCKS = 2 };

#endif
