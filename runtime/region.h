/* SPDX-License-Identifier: MIT */
/*
 * The memory that holds counts: blocks straight from the kernel, never given back, in one list.
 *
 * A block is a head, struct region, which is always private to the process, and data behind it.
 * These are private, too, or, after region_share(), pages of a file that is mapped shared: then
 * what was counted survives the process, however it dies. The file has a copy of the head, which
 * nobody here reads: whoever writes to the file can spoil counts, but no pointer and no size (see
 * gmon_live.h).
 *
 * All of it is async-signal-safe and needs no lock.
 */
#ifndef REGION_H
#define REGION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <gmon_live.h>

/* All fields but `next` are set once, before the block is in the list. */
struct region {
	uint64_t bytes;             /* from the head's page, or the head, to the end of the data */
	uint32_t kind;              /* enum gmon_live_kind */
	uint32_t ready;             /* GMON_LIVE_READY: the fields are set */
	_Alignas(8) uintptr_t word; /* the owner's: a table's mask */
	_Alignas(8) uintptr_t low;  /* the owner's: first address of the bins */
	_Alignas(8) uint64_t data;  /* how many of `bytes` lie before the data */
	_Alignas(8) uint64_t file_offset; /* in the shared file, of `bytes` */
	/* The file has what is above. */
	_Alignas(8) struct region *next;
};

_Static_assert(offsetof(struct region, bytes) == GMON_LIVE_AT_BYTES, "see gmon_live.h");
_Static_assert(offsetof(struct region, kind) == GMON_LIVE_AT_KIND, "see gmon_live.h");
_Static_assert(offsetof(struct region, ready) == GMON_LIVE_AT_READY, "see gmon_live.h");
_Static_assert(offsetof(struct region, word) == GMON_LIVE_AT_WORD, "see gmon_live.h");
_Static_assert(offsetof(struct region, low) == GMON_LIVE_AT_LOW, "see gmon_live.h");
_Static_assert(offsetof(struct region, data) == GMON_LIVE_AT_DATA, "see gmon_live.h");
_Static_assert(offsetof(struct region, file_offset) == GMON_LIVE_AT_OFFSET, "see gmon_live.h");
_Static_assert(sizeof(struct region) <= GMON_LIVE_BLOCK_HEAD, "see gmon_live.h");

/*
 * A zeroed block of at least `bytes`, the head's GMON_LIVE_BLOCK_HEAD among them, in the list, with
 * the owner's word and low; the data are aligned to 64 bytes. NULL: the kernel refused. If the
 * shared file cannot hold it, it is private, which is said on stderr once.
 */
void *region_new(enum gmon_live_kind kind, size_t bytes, uintptr_t word, uintptr_t low);

/* The newest block; go on by region_next(). Blocks that come later are not seen. */
struct region *region_first(void);

static inline struct region *region_next(const struct region *region)
{
	return region->next;
}

/* Whether a block is of a kind, and its fields are set. */
static inline bool region_is(const struct region *region, enum gmon_live_kind kind)
{
	return __atomic_load_n(&region->ready, __ATOMIC_ACQUIRE) == GMON_LIVE_READY &&
	       region->kind == kind;
}

/*
 * In the child of a fork, before anybody counts: every block becomes zero but for its head, and
 * stays where it is. Call region_share() before, for a file of the child's own, or region_forget():
 * else the child would count into its parent's file.
 */
void region_renew_all(void);

/*
 * Blocks from here on lie in the new file `path`, mapped shared, which begins with `head`. It is
 * found again under that name for each block, and known again by its number. `name` is for
 * messages. Both strings must stay.
 *
 * A file of this kind that a process of the same user has left is replaced. 0; -EBUSY: such a
 * process lives; -EEXIST: the name is something else's; or another -errno. After an error nothing
 * has changed.
 */
long region_share(const char *path, const char *name, const void *head, size_t head_bytes);

/* Blocks from here on are private; the shared file stays as it is. */
void region_forget(void);

/* As region_forget(), and removes the shared file, unless its name is another file's by now. */
void region_unshare(void);

/*
 * For SIGBUS: if data of a block lie at an address, their file was cut short. The whole block
 * becomes private and zero, which is said on stderr once. False: nothing of ours lies there.
 */
bool region_repair(uintptr_t address);

#endif
