/* SPDX-License-Identifier: MIT */
/*
 * The format of gmon.out.live: the counts of a running program, as GMON=crash keeps them in a
 * mapped file, so that they outlive the process whatever ends it. gprof reads it as it reads
 * gmon.out.
 *
 * Numbers are in the byte order and, where they say ptr, of the pointer width of the profiled
 * machine. In the head and in the heads of blocks each begins at a multiple of 8 bytes, but for
 * pairs of u32. Addresses are run-time ones.
 *
 * The file begins with struct gmon_live_head. Blocks begin at multiples of GMON_LIVE_PAGE, of which
 * the file has a whole number. What lies there and does not begin like a block, with the 1 and its
 * own offset, is to be passed over.
 *
 *   block     u64 bytes with this head, u32 kind, u32 1, ptr word, ptr low, ptr (meaningless),
 *             u64 its offset in the file, 16 bytes (meaningless); then, by kind:
 *   COUNTS    cells, of 32 bytes if pointers have 8 and else of 16: ptr from, ptr self, u64 count,
 *             without padding before it. word is the size of all cells but one.
 *   BINS      u32 ticks of each 2 bytes of code from low on; word is the number of them
 *
 * A cell counts nothing if from is 0 or 1, ticks outside the program if self is
 * GMON_LIVE_OUTSIDE_TICKS, executions of the basic block at from if self is GMON_LIVE_BLOCK, and
 * else calls from the return address `from` to the function in which `self` lies.
 */
#ifndef GMON_LIVE_H
#define GMON_LIVE_H

#include <stdint.h>

#define GMON_LIVE_MAGIC   "gmonlive"
#define GMON_LIVE_VERSION 1

enum { GMON_LIVE_PAGE = 65536, GMON_LIVE_BLOCK_HEAD = 64 };
enum gmon_live_kind { GMON_LIVE_COUNTS = 1, GMON_LIVE_BINS = 2 };
enum gmon_live_mark { GMON_LIVE_OUTSIDE_TICKS = 1, GMON_LIVE_BLOCK = 2 };

struct gmon_live_head {
	char magic[8];
	uint32_t version;
	uint32_t pointer_bytes;
	uint64_t rate; /* ticks a second */
	uint64_t bias; /* run-time less link-time address */
	uint64_t low;  /* the program's code: [low, high) */
	uint64_t high;
	uint64_t entry; /* stands for callers outside */
};

#endif
