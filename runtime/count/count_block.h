/* SPDX-License-Identifier: MIT */
/*
 * The memory that holds counts: blocks, never freed, in one list. A block is a head, struct
 * count_block, which is always private to the process, and data that follow it.
 *
 * With GMON=crash the data are pages of the live file (live_file.h), mapped shared, so that they
 * survive the process. The file has a copy of each head, which nobody here reads: who writes to the
 * file can spoil counts, but no pointer and no size.
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

/* All fields but file_offset and next are set once, before the block is in the list. */
struct count_block {
	size_t bytes;   /* from the start of the mapping, or of the head, to the end of the data */
	uint16_t kind;  /* enum gmon_live_kind */
	uint16_t ready; /* GMON_LIVE_READY: the fields are set */
	uint32_t data;  /* offset of the data in the mapping; 0: the block is part of the pool */
	_Alignas(8) uintptr_t word;       /* the owner's: a table's mask, a number of records */
	uintptr_t low;                    /* the owner's: the first address of bins */
	_Alignas(8) uint64_t file_offset; /* of the block in the live file; 0: not in it so far */
	struct count_block *next;
};
_Static_assert(sizeof(struct count_block) <= GMON_LIVE_BLOCK_HEAD, "the data come behind it");

/*
 * Adds a zeroed block of at least `bytes` to the list, GMON_LIVE_BLOCK_HEAD of them for the head,
 * with the owner's word and low. The data are aligned to 64 bytes. NULL: no memory. If the live
 * file cannot take it, the block is private, and one line on stderr says so.
 */
void *count_block_new(enum gmon_live_kind kind, size_t bytes, uintptr_t word, uintptr_t low);
/* The newest block, from which count_block_next() leads to the older ones. */
struct count_block *count_block_first(void);

static inline struct count_block *count_block_next(const struct count_block *block)
{
	return block->next;
}

/* Whether a block is of a kind, and its fields are set. */
static inline bool count_block_is(const struct count_block *block, enum gmon_live_kind kind)
{
	return __atomic_load_n(&block->ready, __ATOMIC_ACQUIRE) == GMON_LIVE_READY &&
	       block->kind == kind;
}

/*
 * In the child of a fork, before anybody counts there. Tables leave the list, since nearly all are
 * those of threads that the child lacks: who uses one again calls count_block_renew(). Blocks of
 * modules and strings keep their data; all others are zeroed. Addresses stay. Linear in the blocks.
 * Before this, call live_file_create() or live_file_forget(): else the child would count into its
 * parent's file.
 */
void count_block_renew_all(void);

/*
 * Zeroes a block that has left the list, and puts it back. Its address stays, so that a call that
 * the fork interrupted can go on with it.
 */
void count_block_renew(struct count_block *block);

/* Blocks from here on have data that can become pages of the live file later. */
void count_block_set_apart(void);

/*
 * Moves a block that is older than the live file into the file, with its counts. Only in the thread
 * that counts in it, or in a handler of that thread.
 */
void count_block_settle(struct count_block *block);
/* Says on stderr, once, that counts which cannot be true were left out. */
void count_block_say_spoiled(void);

/*
 * For SIGBUS: if data of a block lie at an address, the file was truncated. Makes the whole block
 * private and zero, and says on stderr once that counts are lost. False: no data of ours are there.
 */
bool count_block_repair(uintptr_t address);

#endif
