/* SPDX-License-Identifier: MIT */
/*
 * The format of gmon.out.live: the counts of a running program, as GMON=crash keeps them in a
 * mapped file, so that they outlive the process whatever ends it. gprof reads it as it reads
 * gmon.out.
 *
 * Numbers are in the byte order and, where they say ptr, of the pointer width of the profiled
 * machine; each is aligned to 8 bytes, ptr of 4 bytes followed by 4 that mean nothing. Addresses
 * are run-time ones.
 *
 *   head, at 0     8 bytes GMON_LIVE_MAGIC, u32 version, u32 bytes in a pointer, u64 ticks a
 * second, u64 bias (run-time less link-time address), u64 low, u64 high (the program's code), u64
 * entry (stands for callers outside [low, high)) block          at multiples of GMON_LIVE_PAGE: u64
 * bytes, u32 kind, u32 1, ptr word, ptr low, ptr (meaningless), u64 the block's own offset in the
 * file; 16 bytes of no meaning kind 1       counts: word is 1 less than the cells, times their
 * size: 32 bytes for 64-bit pointers, else 16. A cell: ptr from, ptr self, u64 count. It counts
 * nothing if from is 0 or 1; ticks outside the program if self is 1; executions of the block at
 * from if self is 2; else calls from the return address `from` to the function that holds `self`
 *     kind 2       bins: word of them, u32 ticks each, each for 2 bytes of code from low on
 *
 * What lies at a multiple of GMON_LIVE_PAGE and does not begin like a block is to be passed over.
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
	uint64_t rate;
	uint64_t bias;
	uint64_t low;
	uint64_t high;
	uint64_t entry;
};

#endif
