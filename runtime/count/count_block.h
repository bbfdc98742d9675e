/* SPDX-License-Identifier: MIT */
/*
 * The memory that holds counts: blocks, never given back, in one list.
 *
 * A block is a head, struct count_block, which is always private to the process, and data behind
 * it. These are private, too, and small blocks share their pages (pool.h); or, after
 * count_block_share(), data are pages of a file that is mapped shared: then what was counted
 * survives the process, however it dies. The file has what a head says in a form of its own, which
 * nobody here reads: whoever writes to the file can spoil counts, but no pointer and no size (see
 * gmon_live.h).
 *
 * All of it is async-signal-safe and needs no lock.
 */
#ifndef COUNT_COUNT_BLOCK_H
#define COUNT_COUNT_BLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <gmon_live.h>

/* All fields but file_offset and next are set once, before the block is in the list. */
struct count_block {
	size_t bytes;   /* from the mapping's beginning, or the head, to the end of the data */
	uint16_t kind;  /* enum gmon_live_kind */
	uint16_t ready; /* GMON_LIVE_READY: the fields are set */
	uint32_t data;  /* how many of `bytes` lie before the data; 0: it is part of the pool */
	_Alignas(8) uintptr_t word;       /* the owner's: a table's mask */
	uintptr_t low;                    /* the owner's: first address of the bins */
	_Alignas(8) uint64_t file_offset; /* in the shared file, of `bytes`; 0: not in it yet */
	struct count_block *next;
};

_Static_assert(sizeof(struct count_block) <= GMON_LIVE_BLOCK_HEAD, "the data come behind it");

/*
 * A zeroed block of at least `bytes`, the head's GMON_LIVE_BLOCK_HEAD among them, in the list, with
 * the owner's word and low; the data are aligned to 64 bytes. NULL: the kernel refused. If the
 * shared file cannot hold it, it is private, which is said on stderr once.
 */
void *count_block_new(enum gmon_live_kind kind, size_t bytes, uintptr_t word, uintptr_t low);

/* The newest block; go on by count_block_next(). Blocks that come later are not seen. */
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
 * In the child of a fork, before anybody counts: tables are no longer in the list, since nearly all
 * of them are those of threads that are not in this process; who goes on with one calls
 * count_block_renew(). Blocks of modules and strings keep what they hold. All others become zero
 * but for their heads, and stay where they are. Linear in the number of blocks. Call
 * count_block_share() before, for a file of the child's own, or count_block_forget(): else the
 * child would count into its parent's file.
 */
void count_block_renew_all(void);

/*
 * Zeroes a block that the list lost, and puts it back. Its address stays, so that whoever the fork
 * interrupted can go on with it.
 */
void count_block_renew(struct count_block *block);

/*
 * Blocks from here on lie in the new file `path`, mapped shared, which begins with `head`. It is
 * found again under that name for each block, and known again by its number. `name` is for
 * messages. Both strings must stay.
 *
 * A file of this kind that a process of the same user has left is replaced. 0; -EBUSY: such a
 * process lives; -EEXIST: the name is something else's; or another -errno. After an error nothing
 * has changed.
 */
long count_block_share(const char *path, const char *name, const void *head, size_t head_bytes);

/* Blocks from here on have data that can become pages of a file later. */
void count_block_set_apart(void);

/*
 * Moves a block that was made when there was no shared file into the one that there is by now, with
 * all that it counts. Only by the thread that counts in it, or in the handler of that.
 */
void count_block_settle(struct count_block *block);

/* Blocks from here on are private; the shared file stays as it is. */
void count_block_forget(void);

/*
 * As count_block_forget(), and removes the shared file, unless its name is another file's by now,
 * or that may kill (sandbox.h).
 */
void count_block_unshare(void);

/* Says on stderr, once, that counts that cannot be were left out. Async-signal-safe. */
void count_block_say_spoiled(void);

/*
 * For SIGBUS: if data of a block lie at an address, their file was cut short. The whole block
 * becomes private and zero, which is said on stderr once. False: nothing of ours lies there.
 */
bool count_block_repair(uintptr_t address);

#endif
