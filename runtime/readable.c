/* SPDX-License-Identifier: MIT */
/* Which memory can be read. See readable.h. */
#include "readable.h"

#include "sys.h"

enum { PAGE = 4096, MOST_PAGES = 32 };

static const uintptr_t most_stack = (uintptr_t)1 << 30;

/*
 * Whether the page of an address can be read. The kernel looks at a set of signals before it finds
 * that nothing can be done with it: EINVAL, or EFAULT if it cannot be read. Apart, so that memory
 * checkers can be told that this only asks.
 */
__attribute__((noinline)) static bool readable_page(uintptr_t at)
{
	const uintptr_t set = 8;

	return SYS4(SYS_rt_sigprocmask, -1, at & -set, NULL, set) == -EINVAL;
}

void readable_begin(struct readable *readable, uintptr_t sp, uintptr_t top)
{
	const uintptr_t page = sp & -(uintptr_t)PAGE;

	readable->run_low = readable->run_high = 0;
	if (!top || sp >= top || top - sp > most_stack)
		return;
	if (top < readable->low || top >= readable->high) {
		readable->low = top & -(uintptr_t)PAGE;
		readable->high = readable->low;
		if (readable_page(top))
			readable->high += PAGE;
	}
	for (int i = 0; i < MOST_PAGES && page < readable->low; i++) {
		uintptr_t next = readable->low - PAGE;

		if (!readable_page(next < sp ? sp : next))
			return;
		readable->low = next;
	}
}

/* Adds the page of an address to the proven ones. */
static bool readable_add(struct readable *readable, uintptr_t at)
{
	uintptr_t page = at & -(uintptr_t)PAGE;

	if ((page >= readable->low && page < readable->high) ||
	    (page >= readable->run_low && page < readable->run_high))
		return true;
	if (page < PAGE || !readable_page(at))
		return false;
	if (page == readable->run_high) {
		readable->run_high += PAGE;
	} else if (page + PAGE == readable->run_low) {
		readable->run_low -= PAGE;
	} else {
		readable->run_low = page;
		readable->run_high = page + PAGE;
	}
	return true;
}

bool readable_prove(struct readable *readable, uintptr_t at, uintptr_t n)
{
	uintptr_t last = at + n - 1;

	return last >= at && readable_add(readable, at) &&
	       ((at ^ last) < PAGE || readable_add(readable, last));
}
