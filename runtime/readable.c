/* SPDX-License-Identifier: MIT */
/* Which memory can be read. See readable.h. */
#include "readable.h"

#include "sys.h"

enum { PAGE = 4096, MOST_PAGES = 32 };

static const uintptr_t most_stack = (uintptr_t)1 << 30;

/*
 * The kernel looks at a set of signals before it finds that nothing can be done with it: EINVAL,
 * or EFAULT if it cannot be read.
 */
static bool readable_page(uintptr_t page)
{
	return SYS4(SYS_rt_sigprocmask, -1, page, NULL, 8) == -EINVAL;
}

void readable_begin(struct readable *readable, uintptr_t sp, uintptr_t top)
{
	uintptr_t page = sp & -(uintptr_t)PAGE;

	readable->run_low = readable->run_high = 0;
	if (!top || sp >= top || top - sp > most_stack)
		return;
	if (top < readable->low || top >= readable->high) {
		readable->low = top & -(uintptr_t)PAGE;
		readable->high = readable->low;
		if (readable_page(readable->low))
			readable->high += PAGE;
	}
	for (int i = 0; i < MOST_PAGES && page < readable->low; i++) {
		if (!readable_page(readable->low - PAGE))
			return;
		readable->low -= PAGE;
	}
}

/* Adds a page to the proven ones. */
static bool readable_add(struct readable *readable, uintptr_t page)
{
	if ((page >= readable->low && page < readable->high) ||
	    (page >= readable->run_low && page < readable->run_high))
		return true;
	if (page < PAGE || !readable_page(page))
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

	return last >= at && readable_add(readable, at & -(uintptr_t)PAGE) &&
	       ((at ^ last) < PAGE || readable_add(readable, last & -(uintptr_t)PAGE));
}
