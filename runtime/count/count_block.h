/* SPDX-License-Identifier: MIT */
/*
 * The memory that holds counts: blocks, never freed, in two lists, of those that belong to a thread
 * and of the others. A block is a head, struct count_block, which is always private to the process,
 * and data that follow it.
 *
 * With GMON=crash the data are pages of the live file (live_file.h), mapped shared, so that they
 * survive the process. The file has a copy of each head, which nobody here reads: who writes to the
 * file can spoil counts, but no pointer and no size. With gprof --run it is a window of a file that
 * many processes share (live_window.h); all here holds for that, too.
 *
 *     memory   | ... head | data ...             |        head: its own page, private
 *                         |  mapped shared       |
 *     file     | copy of the head ... | data ... |        at file_offset
 *
 * Without GMON=crash the data are private, too, and small blocks share their pages (pool.h):
 *
 *     memory   | head | data | head | data | head | data |  ...
 *
 * Everything here is async-signal-safe and needs no lock.
 */
#ifndef COUNT_COUNT_BLOCK_H
#define COUNT_COUNT_BLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <gmon_live.h>

/* All members except file_offset and next are set once, before the block is put into the list. */
struct count_block {
	size_t bytes;   /* from the start of the mapping, or of the head, to the end of the data */
	uint16_t kind;  /* enum gmon_live_kind */
	uint16_t ready; /* GMON_LIVE_READY: the members are set */
	uint32_t data;  /* offset of the data in the mapping; 0: the block is part of the pool */
	_Alignas(8) uintptr_t word; /* set by the owner: a table's mask, or a number of records */
	uintptr_t low;              /* set by the owner: the first address of bins */
	_Alignas(8) uint64_t
		file_offset; /* offset of the block in the live file; 0: it is not there yet */
	struct count_block *next;
};
_Static_assert(sizeof(struct count_block) <= GMON_LIVE_BLOCK_HEAD, "the data come after it");

/*
 * Adds a zeroed block of at least `bytes` to the list, GMON_LIVE_BLOCK_HEAD of them for the head,
 * with the owner's word and low. The data are aligned to 64 bytes. NULL: no memory. If the live
 * file cannot take it, the block is private, and one line on stderr says so.
 */
void *count_block_new(enum gmon_live_kind kind, size_t bytes, uintptr_t word, uintptr_t low);
/* The first of all blocks, or NULL, from which count_block_next() leads to the others: of each list
 * from new to old. */
struct count_block *count_block_first(void);
struct count_block *count_block_next(const struct count_block *block);

/* Whether a block is of this kind, and its members are set. */
static inline bool count_block_is(const struct count_block *block, enum gmon_live_kind kind)
{
	return __atomic_load_n(&block->ready, __ATOMIC_ACQUIRE) == GMON_LIVE_READY &&
	       block->kind == kind;
}

/* Whether a block belongs to one thread, which alone counts in it. */
static inline bool count_block_is_of_thread(const struct count_block *block)
{
	return block->kind == GMON_LIVE_COUNTS || block->kind == GMON_LIVE_SAMPLES ||
	       block->kind == GMON_LIVE_SLICES || block->kind == GMON_LIVE_SITE_COUNTS;
}

/*
 * In the child of a fork, before anybody counts there: all blocks leave the lists. Those of threads
 * are nearly all of threads that the child lacks: who uses one again calls count_block_renew(). The
 * others still have the parent's data, which nobody may change, until count_block_renew_all().
 * Writes to no block, since each has a page of its own, which would be copied.
 */
void count_block_forked(void);

/*
 * Later in that child: puts the others back into the list, zeroed but for the first used(kind)
 * bytes of their data. Addresses stay. Linear in the blocks. Before this, call live_file_create(),
 * live_file_forget() or live_window_take(): else the child would count into its parent's file.
 */
void count_block_renew_all(size_t used(enum gmon_live_kind kind));

/*
 * Zeroes a block that has left the list, and puts it back. Its address stays, so that a call that
 * the fork interrupted can go on with it.
 */
void count_block_renew(struct count_block *block);

/* Blocks that are made from now on have data that can become pages of the live file later. */
void count_block_set_apart(void);

/*
 * Moves a block that is older than the live file or window into it, with the first `keep` bytes of
 * its data; SIZE_MAX: with all. Only in the thread that counts in it, or in a handler of that
 * thread.
 */
void count_block_move_into_file(struct count_block *block, size_t keep);
/* Says on stderr, once, that counts which cannot be true were left out. */
void count_block_say_spoiled(void);

/*
 * For the handler of SIGBUS: if the address is in the data of a block, the live file was truncated.
 * Makes the whole block private and zero, and reports once on stderr that counts are lost. Returns
 * false if the address is in no block's data.
 */
bool count_block_repair(uintptr_t address);

#endif
