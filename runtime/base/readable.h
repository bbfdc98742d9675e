/* SPDX-License-Identifier: MIT */
/*
 * Reading words of a stack without ever faulting: the kernel is asked first, page by page, whether
 * memory can be read.
 *
 * The pages between a thread's stack pointer and the end of its stack exist as long as the thread:
 * once proven readable, they are remembered. Those of other stacks are asked for in each walk.
 *
 * The stack of another thread may go away at any moment: its words are read in a copy, which the
 * kernel makes in pieces as the walk needs them.
 */
#ifndef BASE_READABLE_H
#define BASE_READABLE_H

#include <stdbool.h>
#include <stdint.h>

enum { READABLE_COPY_BYTES = 16384 };

/* A copy of the memory in [low, high); both 0: there is none. */
struct readable_copy {
	uintptr_t low, high;
	_Alignas(16) unsigned char bytes[READABLE_COPY_BYTES];
};

struct readable {
	uintptr_t low, high;         /* what is proven of the thread's own stack; both 0: nothing */
	uintptr_t run_low, run_high; /* other memory that was proven readable in this walk */
	/*
	 * a copy of another thread's stack, in which all words are read; NULL: the walk is along
	 * the calling thread's own stack
	 */
	struct readable_copy *copy;
};

/*
 * At the start of a walk, and where it changes to another stack. `top`: an address above the
 * thread's stack, at most on the page after its last one. One system call for each page of the
 * thread's stack that is new, at most 32; with a copy, one in all.
 */
void readable_begin(struct readable *readable, uintptr_t sp, uintptr_t top);

/* Whether the bytes of [at, at + n) can be read, n at most 4096. For code, not for stacks. */
bool readable_prove(struct readable *readable, uintptr_t at, uintptr_t n);

/*
 * The n bytes at an address, n at most 4096, or NULL if they cannot be read. With a copy they are
 * valid until the next call here.
 */
const void *readable_bytes(struct readable *readable, uintptr_t at, uintptr_t n);

/* Reads a word like readable_word(), at an aligned address that is not proven readable yet. */
bool readable_fetch(struct readable *readable, uintptr_t at, uintptr_t *word);

/* Reads the word at an address. False: it is not aligned, or cannot be read. */
static inline bool readable_word(struct readable *readable, uintptr_t at, uintptr_t *word)
{
	if (at % sizeof(*word))
		return false;
	if ((at < readable->low || at >= readable->high) &&
	    (at < readable->run_low || at >= readable->run_high))
		return readable_fetch(readable, at, word);
	*word = *(const volatile uintptr_t *)at;
	return true;
}
#endif
