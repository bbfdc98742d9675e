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
 * the file has a whole number. What lies there and does not begin like a block, with
 * GMON_LIVE_READY and its own offset, is to be passed over.
 *
 * A block is a head of GMON_LIVE_BLOCK_HEAD bytes, whose fields are at enum gmon_live_block, and
 * then, from its data on, by its kind:
 *   COUNTS    cells, of GMON_LIVE_CELL_BYTES each: ptr from, ptr self, u64 count, without padding
 *             before it. word is the size of all cells but one.
 *             What else there is of a cell, or behind the last one, is the program's own.
 *   BINS      u32 ticks of each GMON_LIVE_BIN_CODE bytes of code from low on; word is the number
 *             of them
 *   NODES     functions on call stacks, struct gmon_ext_node (see gmon_ext.h) with run-time
 *             addresses, of which parent is the number of another, and module that of a module.
 *             The block's first has the number low, and there is room for word; 0 is not used,
 *             and stands for no node, or none that is known. One with address 0 is not there.
 *   SAMPLES   cells, as COUNTS: ticks of stacks that end in node from - GMON_LIVE_NODE; self is
 *             thread << GMON_LIVE_THREAD | kind << GMON_LIVE_KIND | quality, with the number of a
 *             thread, the number of a kind, and one of enum gmon_ext_quality. Kind 0 is CPU
 *             time. Kind 1 is microseconds of waiting if there are stacks of it that end in a
 *             system call (see gmon_ext.h); else 1 and what is above are other kinds, of which
 *             the file knows no more
 *   MODULES   struct gmon_ext_module; low is 1 with GMON=libs, when cells of COUNTS say in which
 *             modules they are; and
 *   THREADS   the first GMON_EXT_THREAD_LEAST bytes of struct gmon_ext_thread, both numbered from
 *             0; there is room for word. Those of zeros behind the last are not there. Behind the
 *             room for all there may be the rest of each, as u64 looks and squares.
 *   STRINGS   to which modules and threads refer, by offset; word bytes
 *
 * There is at most one block of each of the last three kinds. A block of another kind is to be
 * passed over.
 *
 * A cell counts nothing if from is one of the first two of enum gmon_live_from, ticks outside the
 * program if self is GMON_LIVE_OUTSIDE_TICKS, the same in module self - GMON_LIVE_OUTSIDE_IN, with
 * GMON_LIVE_LAST_MARK in none, if it is from GMON_LIVE_OUTSIDE_IN to GMON_LIVE_LAST_MARK,
 * executions of the basic block at from if self is GMON_LIVE_BLOCK, nothing again if self is
 * GMON_LIVE_TWICE or GMON_LIVE_ALONE, ticks of unknown places if self is GMON_LIVE_UNKNOWN_TICKS,
 * and else calls from the return address `from` to the function in which `self` lies.
 *
 * Version 1, which was never released, differs in that the data follow the head, whose
 * GMON_LIVE_AT_DATA means nothing.
 */
#ifndef GMON_LIVE_H
#define GMON_LIVE_H

#include <stdint.h>

#define GMON_LIVE_MAGIC   "gmonlive"
#define GMON_LIVE_VERSION 2

enum { GMON_LIVE_PAGE = 65536, GMON_LIVE_BLOCK_HEAD = 64, GMON_LIVE_READY = 1 };
enum { GMON_LIVE_BIN_BYTES = 4, GMON_LIVE_BIN_CODE = 2 };
enum gmon_live_kind {
	GMON_LIVE_COUNTS = 1,
	GMON_LIVE_BINS = 2,
	GMON_LIVE_NODES = 3,
	GMON_LIVE_SAMPLES = 4,
	GMON_LIVE_MODULES = 5,
	GMON_LIVE_THREADS = 6,
	GMON_LIVE_STRINGS = 7,
};
enum gmon_live_mark {
	GMON_LIVE_OUTSIDE_TICKS = 1,
	GMON_LIVE_BLOCK = 2,
	GMON_LIVE_TWICE = 3, /* the function at from has two hooks, this often told of a call */
	GMON_LIVE_ALONE = 4, /* that has the hook of -finstrument-functions alone */
	GMON_LIVE_UNKNOWN_TICKS = 5,
	GMON_LIVE_OUTSIDE_IN = 16,
	GMON_LIVE_LAST_MARK = 4095,
};
enum gmon_live_from {
	GMON_LIVE_FROM_NONE = 0,
	GMON_LIVE_FROM_CLAIMED = 1,
	GMON_LIVE_FROM_ANYWHERE = 2, /* it counts something, but where is not known */
};

/* Of blocks of kind SAMPLES; see there. */
enum { GMON_LIVE_NODE = 2, GMON_LIVE_KIND = 2, GMON_LIVE_THREAD = 6 };

/* Bytes of a cell, by those of a pointer. */
#define GMON_LIVE_CELL_BYTES(pointer_bytes) ((pointer_bytes) == 8 ? 32 : 16)

/* Where the fields of a block's head are; the rest of it means nothing. */
enum gmon_live_block {
	GMON_LIVE_AT_BYTES = 0,   /* u64: of the block, from its head to the end of its data */
	GMON_LIVE_AT_KIND = 8,    /* u32: enum gmon_live_kind */
	GMON_LIVE_AT_READY = 12,  /* u32: GMON_LIVE_READY */
	GMON_LIVE_AT_WORD = 16,   /* ptr */
	GMON_LIVE_AT_LOW = 24,    /* ptr */
	GMON_LIVE_AT_DATA = 32,   /* u64: bytes from its beginning to the data */
	GMON_LIVE_AT_OFFSET = 40, /* u64: where in the file the block begins */
};

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
