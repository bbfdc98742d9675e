/* SPDX-License-Identifier: MIT */
/*
 * Reading memory that is not ours: stacks, and the objects that the program has loaded. Another
 * thread may unmap such memory, or forbid to read it, at any moment. So its addresses are numbers,
 * which only readable.c makes pointers of, and a read that is not possible is an answer:
 *
 *   objects        The kernel copies a page of 4096 bytes (process_vm_readv(), which fails where a
 *                  read would fault), and the page is kept under the object's fingerprint. So most
 *                  walks read tables and code without a system call.
 *   own stack      Its words are read where they are: the pages between a thread's stack pointer
 *                  and the end of its stack exist as long as the thread. The kernel is asked once
 *                  for each page whether it can be read.
 *   other memory   The kernel copies 16 KB, as a walk comes to it: other stacks of the thread, and
 *                  stacks of other threads.
 *
 * Where a filter of system calls refuses process_vm_readv(), the kernel is asked whether a page can
 * be read (readable.c), and the page is copied at once. Only there a page that another thread
 * unmaps in between would fault; stacks of other threads are not read then.
 *
 * Async-signal-safe, without locks.
 */
#ifndef BASE_READABLE_H
#define BASE_READABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct text;

/* Copies n bytes. False: they cannot all be read; `to` may have changed. One system call. */
bool readable_copy(void *to, uintptr_t from, size_t n);

/* Copies n bytes that can be read, as who calls knows. */
static inline void readable_plainly(void *to, uintptr_t from, size_t n)
{
	for (size_t i = 0; i < n; i++)
		((uint8_t *)to)[i] = ((const volatile uint8_t *)from)[i];
}

/* The same for a number of four bytes, in the machine's order. */
static inline uint32_t readable_four_plainly(uintptr_t from)
{
	uint32_t value;

	__builtin_memcpy(&value, (const void *)from, sizeof(value));
	return value;
}

/* n bytes of memory. The same as a struct iovec, but for the type of the address. */
struct readable_part {
	uintptr_t at;
	size_t n;
};

/* Copies n parts of memory, one after the other. False: one of them cannot be read. */
bool readable_gather(void *to, const struct readable_part *part, unsigned n);

/*
 * Appends the string at an address to a text, and reads no page after the string's last one. False:
 * it cannot be read, or does not fit.
 */
bool readable_string(struct text *text, uintptr_t from);

enum { READABLE_PIECE_BYTES = 16384, READABLE_PAGE = 4096, READABLE_PAGES = 64 };

/* What a thread keeps for its walks. Zeroed memory is valid. */
struct readable {
	uintptr_t low, high; /* pages of the thread's own stack that can be read; both 0: none */
	uintptr_t from;      /* of these, [from, high) are read in this walk */
	bool blocked;        /* the walks are along stacks of other threads */
	uintptr_t piece_low, piece_high; /* what `piece` is a copy of; both 0: nothing */
	struct {
		uintptr_t at, key; /* the page's address, and of which object; key 0: none */
	} kept[READABLE_PAGES];
	_Alignas(16) unsigned char piece[READABLE_PIECE_BYTES];
	unsigned char page[READABLE_PAGES][READABLE_PAGE];
};

/*
 * At the start of a walk, and where it changes to another stack. `top`: an address above the
 * thread's own stack, at most on the page after its last one; 0: not known. One system call for
 * each page of that stack that is new, at most 32; for a blocked thread one in all.
 */
void readable_begin(struct readable *readable, uintptr_t sp, uintptr_t top);

/*
 * The n bytes of a stack at an address, n at most 4096, or NULL if they cannot be read. Valid until
 * the next call here.
 */
const void *readable_bytes(struct readable *readable, uintptr_t at, uintptr_t n);

/* As readable_word(), for an aligned address that is not in the thread's own stack. */
bool readable_fetch(struct readable *readable, uintptr_t at, uintptr_t *word);

/* Reads a word of a stack. False: the address is not aligned, or cannot be read. */
static inline bool readable_word(struct readable *readable, uintptr_t at, uintptr_t *word)
{
	if (at % sizeof(*word))
		return false;
	if (at < readable->from || at >= readable->high)
		return readable_fetch(readable, at, word);
	*word = *(const volatile uintptr_t *)at;
	return true;
}

/*
 * Reads n bytes of an object. `key`, not 0, says which object: what was read of it before may be
 * the answer. False: they cannot be read.
 */
bool readable_object(struct readable *readable, uintptr_t key, uintptr_t at, void *to, size_t n);
#endif
