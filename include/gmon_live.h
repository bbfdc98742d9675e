/* SPDX-License-Identifier: MIT */
/*
 * The format of gmon.out.live: the counts of a running program, which GMON=crash keeps in a mapped
 * file so that they outlive the process however it ends. gprof reads it as it reads gmon.out.
 *
 * Numbers have the byte order of the profiled machine; ptr has the width of its pointers. In the
 * head and in the heads of blocks each field begins at a multiple of 8 bytes, except in pairs of
 * u32. Addresses are run-time ones.
 *
 * The file begins with struct gmon_live_head. Its size is a multiple of GMON_LIVE_PAGE, and blocks
 * begin at such multiples. A reader skips a page there that does not begin with the head of a
 * block, which has GMON_LIVE_READY and its own offset.
 *
 * A block is a head of GMON_LIVE_BLOCK_HEAD bytes, whose fields are at enum gmon_live_block, and
 * then data, which depend on its kind:
 *   COUNTS    cells of GMON_LIVE_CELL_BYTES each, which begin with ptr from, ptr self and
 *             u64 count, without padding before it. word is the size of all cells but one.
 *             A number, 1 for the cell that was the first to be used, is the u64 at the end of
 *             cells of 32 bytes; for those of 16 bytes, there is a u32 for each after the last one.
 *             0: not known. What follows is for the program alone.
 *   BINS      u32 ticks for each GMON_LIVE_BIN_CODE bytes of code from low on; word is their
 *             number
 *   NODES     functions on call stacks, struct gmon_ext_node (see gmon_ext.h), but with
 *             run-time addresses; parent is the number of a node and module that of a module.
 *             The nodes of all these blocks are numbered together: low is the number of the
 *             block's first, word is how many it has room for. Number 0 is no node; it stands
 *             for none or an unknown one. A node with address 0 does not exist.
 *   SAMPLES   cells, as in COUNTS: ticks of stacks that end in node from - GMON_LIVE_NODE. self
 *             is thread << GMON_LIVE_THREAD | kind << GMON_LIVE_KIND | quality: the numbers of
 *             a thread and of a kind, and one of enum gmon_ext_quality. Kind 0 is CPU time.
 *             Kind 1 is microseconds of waiting if any of its stacks end in a system call (see
 *             gmon_ext.h); otherwise it is, as are higher ones, a kind of which the file says
 *             no more. Kind GMON_LIVE_SQUARES is no kind of ticks: such a cell counts the
 *             squares of struct gmon_ext_square.
 *   MODULES   struct gmon_ext_module, numbered from 0; word is how many there is room for. low
 *             is 1 with GMON=libs: then cells of COUNTS say in which modules they are.
 *   THREADS   the first GMON_EXT_THREAD_LEAST bytes of each struct gmon_ext_thread, numbered
 *             from 0; word is how many there is room for. After the room for all of them there
 *             may be u64 looks and squares of each, and after these u64 runnable_ns and life_ns of
 *             each.
 *   STRINGS   word bytes, to which modules and threads refer by offset
 *
 *   KINDS     struct gmon_ext_kind, numbered from 0; word is how many there is room for. Those
 *             whose name is 0 do not exist. After the room for all of them, u64 for each: ticks
 *             of the kind whose stack was lost for lack of memory. Names are offsets into the
 *             strings. Without this block, the kinds are as SAMPLES says.
 *   PROCESS   one struct gmon_ext_process without its last 8 bytes; word is 1
 *
 *   SLICES    cells, as in SAMPLES, with a slice of the elapsed time: from is
 *             GMON_LIVE_NODE + node + (level << GMON_LIVE_LEVEL), and the number of a slice of this
 *             level is self >> GMON_LIVE_SLICE; the rest of self is as in SAMPLES. Slices of level
 *             l are slice_ns << l long
 *   TIMELINE  one struct gmon_ext_timeline; word is 1. slice_ns is the length of slices of level 0,
 *             slices the most slices of a level that there may be; recording is 0
 *
 *   SITES     u32 for each; word is their number. Call sites of an object that are counted where
 *             they are, with GMON=calls, by address. The sites of all these blocks are numbered
 *             together: low is the number of the block's first. The upper bits, from
 *             GMON_LIVE_SITE_AFTER on, are how far the return address of the call is behind that
 *             of the site before, or behind `base`; the lower ones are the number of the function
 *             that it leads to. After them, at a multiple of 8 bytes, come u64 base, u64 n and n
 *             u64, the addresses of these functions; then u32 for each site whose upper bits are
 *             GMON_LIVE_SITE_FAR: what these would be. With GMON=calls=entries these addresses have
 *             GMON_LIVE_BY_SLOT if sites go by a slot, and GMON_LIVE_AT_ENTRY if the function is
 *             then counted where it begins: so COUNTS have these calls, and those here are not to
 *             be added
 *   SITE_COUNTS  u64 for each number: 0 less the calls of one thread; then u32 for each: the number
 *             of its first call in that thread, as in COUNTS. word is how many there is room for.
 *             There is one such block for each thread
 *   SITE_OBJECTS  struct gmon_ext_site; word is how many there is room for. One without functions
 *             does not exist. An object whose module is GMON_EXT_NONE is not counted after all
 *   PARTS     struct gmon_ext_part, but with run-time addresses; word is their number. module is
 *             the number of a module
 *
 *   HOLDS     struct gmon_ext_hold, but with numbers of nodes and the run-time address of the lock;
 *             word is how many there is room for. Those without ticks do not exist. module has no
 *             meaning
 *
 * Modules and threads that are all zeros after the last one do not exist.
 *
 * There is at most one block of each of MODULES, THREADS, STRINGS, KINDS, PROCESS, TIMELINE,
 * SITE_OBJECTS and HOLDS. A reader skips blocks of other kinds.
 *
 * What a cell of COUNTS counts is said by its `from` and `self`; the first line that fits holds:
 *   from  GMON_LIVE_FROM_NONE, GMON_LIVE_FROM_CLAIMED   nothing
 *   self  GMON_LIVE_OUTSIDE_TICKS      ticks outside the program
 *         GMON_LIVE_BLOCK              executions of the basic block at from
 *         GMON_LIVE_TWICE              nothing: see there
 *         GMON_LIVE_ALONE              nothing: see there
 *         GMON_LIVE_UNKNOWN_TICKS      ticks at unknown addresses
 *         GMON_LIVE_LAST_MARK          ticks outside the program, in no module
 *         from GMON_LIVE_OUTSIDE_IN    ticks in module self - GMON_LIVE_OUTSIDE_IN
 *           to GMON_LIVE_LAST_MARK - 1
 *         others                       calls from the return address `from` to the function in
 *                                      which `self` lies
 *
 * Version 1, which was never released, has the data right after the head and no GMON_LIVE_AT_DATA.
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
	GMON_LIVE_KINDS = 8,
	GMON_LIVE_PROCESS = 9,
	GMON_LIVE_SLICES = 10,
	GMON_LIVE_TIMELINE = 11,
	GMON_LIVE_SITES = 12,
	GMON_LIVE_SITE_COUNTS = 13,
	GMON_LIVE_SITE_OBJECTS = 14,
	GMON_LIVE_PARTS = 15,
	GMON_LIVE_HOLDS = 16,
};
enum gmon_live_mark {
	GMON_LIVE_OUTSIDE_TICKS = 1,
	GMON_LIVE_BLOCK = 2,
	GMON_LIVE_TWICE = 3, /* number of runs of the second hook of the function at `from`, which
				has two hooks */
	GMON_LIVE_ALONE =
		4, /* the function at `from` has only the hook of -finstrument-functions */
	GMON_LIVE_UNKNOWN_TICKS = 5,
	GMON_LIVE_OUTSIDE_IN = 16,
	GMON_LIVE_LAST_MARK = 4095,
};
enum gmon_live_from {
	GMON_LIVE_FROM_NONE = 0,
	GMON_LIVE_FROM_CLAIMED = 1,
	GMON_LIVE_FROM_ANYWHERE = 2, /* the cell is in use, but the address is not known */
};

/* For cells of SAMPLES: an offset and two shifts, as described above. */
enum { GMON_LIVE_NODE = 2, GMON_LIVE_KIND = 2, GMON_LIVE_THREAD = 6 };

/* For cells of SLICES: shifts, as described above. Threads have numbers below 2^14. */
enum { GMON_LIVE_LEVEL = 26, GMON_LIVE_SLICE = 20 };

/* The last kind, which is none of ticks. */
enum { GMON_LIVE_SQUARES = (1 << (GMON_LIVE_THREAD - GMON_LIVE_KIND)) - 1 };

/* The size of a cell, by that of a pointer. */
#define GMON_LIVE_CELL_BYTES(pointer_bytes) ((pointer_bytes) == 8 ? 32 : 16)

/* The offsets of the fields in a block's head; the rest of it has no meaning. */
enum gmon_live_block {
	GMON_LIVE_AT_BYTES = 0,   /* u64: size of the block, from its head to the end of its data */
	GMON_LIVE_AT_KIND = 8,    /* u32: enum gmon_live_kind */
	GMON_LIVE_AT_READY = 12,  /* u32: GMON_LIVE_READY */
	GMON_LIVE_AT_WORD = 16,   /* ptr */
	GMON_LIVE_AT_LOW = 24,    /* ptr */
	GMON_LIVE_AT_DATA = 32,   /* u64: offset of the data in the block */
	GMON_LIVE_AT_OFFSET = 40, /* u64: offset of the block in the file */
};

/* For SITES, as described above; the functions' addresses have these bits. */
#define GMON_LIVE_BY_SLOT  (UINT64_C(1) << 62)
#define GMON_LIVE_AT_ENTRY (UINT64_C(1) << 63)
enum { GMON_LIVE_SITE_AFTER = 20, GMON_LIVE_SITE_FAR = (1 << (32 - GMON_LIVE_SITE_AFTER)) - 1 };

struct gmon_live_head {
	char magic[8];
	uint32_t version;
	uint32_t pointer_bytes;
	uint64_t rate; /* ticks per second */
	uint64_t bias; /* run-time minus link-time address */
	uint64_t low;  /* [low, high): the program's code */
	uint64_t high;
	uint64_t entry; /* the address that stands for callers outside the program */
};

/*
 * The file of a run, in which `gprof --run` gets the counts of all processes that it records. It
 * has no name; processes inherit it, and each that records maps a window of it, which holds what
 * the file of a process has above:
 *
 *     offset 0                  struct gmon_live_windows, then zeros up to GMON_LIVE_PAGE
 *     GMON_LIVE_PAGE            GMON_LIVE_ENDED of struct gmon_live_ended
 *     GMON_LIVE_FIRST_WINDOW    window 0, of window_bytes
 *     ... + window_bytes        window 1, ...
 *
 * Most processes that programs start end before their first sample. They take no window, but the
 * next struct gmon_live_ended, by raising `ended`; one whose pid is 0 does not exist.
 *
 * What nobody has written is zeros, and takes no memory: the file is large and sparse. A window is
 * that of the process that has raised `taken` from its number. It may have been killed before it
 * wrote more, so a window without GMON_LIVE_MAGIC at its start is empty. All processes of the run
 * can write everywhere: a reader believes neither the head nor any window.
 */
#define GMON_LIVE_WINDOWS_MAGIC "gmonwins"

struct gmon_live_windows {
	char magic[8];
	uint32_t version;       /* GMON_LIVE_VERSION */
	uint32_t pointer_bytes; /* of gprof, and so of all that can use the file */
	uint64_t window_bytes;  /* a multiple of GMON_LIVE_PAGE */
	uint64_t windows;       /* how many there is room for */
	uint64_t taken;         /* how many processes wanted one; may be more than there are */
	uint64_t ended;         /* how many processes wanted a struct gmon_live_ended */
	uint64_t processes;     /* how many began to be recorded */
};

/* A process without a sample. Texts end with NUL; of a longer one, the end is missing. */
struct gmon_live_ended {
	uint32_t pid, parent;
	uint32_t ending; /* this and the rest as in struct gmon_ext_process */
	uint32_t status;
	uint64_t start_ns, end_ns, cpu_ns, before_ns;
	char program[104]; /* path of the executable, as exec() was given it */
	char command[104];
};

enum { GMON_LIVE_ENDED = 65536 };
#define GMON_LIVE_FIRST_WINDOW \
	(GMON_LIVE_PAGE + (uint64_t)GMON_LIVE_ENDED * sizeof(struct gmon_live_ended))

#endif
