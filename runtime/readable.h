/* SPDX-License-Identifier: MIT */
/*
 * Reading words of a stack without ever faulting: what is not known to be readable is shown to the
 * kernel first, page by page.
 *
 * The pages between a thread's stack pointer and the end of its stack stay as long as the thread:
 * once proven, they are remembered. Those of other stacks are proven anew in each walk.
 */
#ifndef READABLE_H
#define READABLE_H

#include <stdbool.h>
#include <stdint.h>

struct readable {
	uintptr_t low, high; /* of the thread's stack, as far as proven; both 0: nothing yet */
	uintptr_t run_low, run_high; /* proven in this walk */
};

/*
 * At the start of a walk, and where it comes to another stack. `top`: an address above the
 * thread's stack but on its last page or the one behind. Costs a system call for each new page of
 * the thread's stack, 32 at most.
 */
void readable_begin(struct readable *readable, uintptr_t sp, uintptr_t top);

/* Whether the bytes of [at, at + n) can be read, n being at most 4096. */
bool readable_prove(struct readable *readable, uintptr_t at, uintptr_t n);

/* Reads the word at an address; false: it is not aligned, or cannot be read. */
static inline bool readable_word(struct readable *readable, uintptr_t at, uintptr_t *word)
{
	if (at % sizeof(*word))
		return false;
	if ((at < readable->low || at >= readable->high) &&
	    (at < readable->run_low || at >= readable->run_high) &&
	    !readable_prove(readable, at, sizeof(*word)))
		return false;
	*word = *(const volatile uintptr_t *)at;
	return true;
}

#endif
