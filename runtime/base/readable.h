/* SPDX-License-Identifier: MIT */
/*
 * Reading words of a stack without ever faulting: what is not known to be readable is shown to the
 * kernel first, page by page.
 *
 * The pages between a thread's stack pointer and the end of its stack stay as long as the thread:
 * once proven, they are remembered. Those of other stacks are proven anew in each walk.
 *
 * The stack of another thread may go away at any moment: its words are read in a copy, which the
 * kernel makes, piece by piece as the walk comes to them.
 */
#ifndef BASE_READABLE_H
#define BASE_READABLE_H

#include <stdbool.h>
#include <stdint.h>

enum { READABLE_COPY_BYTES = 16384 };

/* A piece of memory as it was: [low, high) are at bytes. All zero: none. */
struct readable_copy {
	uintptr_t low, high;
	_Alignas(16) unsigned char bytes[READABLE_COPY_BYTES];
};

struct readable {
	uintptr_t low, high; /* of the thread's stack, as far as proven; both 0: nothing yet */
	uintptr_t run_low, run_high; /* proven in this walk */
	struct readable_copy *copy;  /* for walks along other threads' stacks, else NULL; then
					nothing is proven, and words are read there */
};

/*
 * At the start of a walk, and where it comes to another stack. `top`: an address above the
 * thread's stack but on its last page or the one behind. Costs a system call for each new page of
 * the thread's stack, 32 at most; with a copy it is one in all.
 */
void readable_begin(struct readable *readable, uintptr_t sp, uintptr_t top);

/* Whether the bytes of [at, at + n) can be read, n being at most 4096. For code, not for stacks. */
bool readable_prove(struct readable *readable, uintptr_t at, uintptr_t n);

/*
 * The n bytes at an address, where they can be read, or NULL: they are not there. n is at most
 * 4096. With a copy they are good until the next call here.
 */
const void *readable_bytes(struct readable *readable, uintptr_t at, uintptr_t n);

/* As readable_word(), if the address is aligned and was not proven. */
bool readable_fetch(struct readable *readable, uintptr_t at, uintptr_t *word);

/* Reads the word at an address; false: it is not aligned, or cannot be read. */
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
