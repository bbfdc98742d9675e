/* SPDX-License-Identifier: MIT */
/* Reads memory that may not exist. See readable.h. */
#include "base/readable.h"

#include <sys/uio.h>

#include "base/sys.h"

enum {
	PAGE = 4096,
	MOST_PAGES = 32,
	BELOW = 128 /* BELOW: bytes below the stack pointer in which functions may keep data */
};

static const uintptr_t most_stack = (uintptr_t)1 << 30;

/*
 * Whether the page of an address can be read. rt_sigprocmask() with a wrong `how` reads the set of
 * signals before it fails: EINVAL, or EFAULT if the set cannot be read. Not inlined, so that memory
 * checkers can be told that this only asks.
 */
__attribute__((noinline)) static bool readable_page(uintptr_t at)
{
	const uintptr_t set = 8;

	return SYS4(SYS_rt_sigprocmask, -1, at & -set, NULL, set) == -EINVAL;
}

/* Copies as much as can be read from an address on. The kernel copies each piece of the list whole
 * or not at all, so that pieces end where pages do. */
static void readable_copy(struct readable_copy *copy, uintptr_t at)
{
	struct iovec here = { copy->bytes, sizeof(copy->bytes) };
	struct iovec there[READABLE_COPY_BYTES / PAGE + 1];
	unsigned n = 0;
	long done;

	for (uintptr_t left = sizeof(copy->bytes), from = at; left > 0 && from >= at; n++) {
		uintptr_t bytes = PAGE - from % PAGE;

		bytes = bytes < left ? bytes : left;
		there[n].iov_base = (void *)from;
		there[n].iov_len = bytes;
		from += bytes;
		left -= bytes;
	}
	done = SYS6(SYS_process_vm_readv, sys_gettid(), &here, 1, there, n, 0);
	copy->low = at;
	copy->high = at + (uintptr_t)(sys_failed(done) ? 0 : done);
}

static const void *readable_copied(struct readable_copy *copy, uintptr_t at, uintptr_t n)
{
	if (at < copy->low || at - copy->low > sizeof(copy->bytes) - n)
		readable_copy(copy, at);
	return at + n <= copy->high ? copy->bytes + (at - copy->low) : NULL;
}

void readable_begin(struct readable *readable, uintptr_t sp, uintptr_t top)
{
	const uintptr_t page = sp & -(uintptr_t)PAGE;

	readable->run_low = readable->run_high = 0;
	if (readable->copy) {
		readable_copy(readable->copy, sp - BELOW);
		return;
	}
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

/* Adds the page of an address to those that are proven readable. False: it is not. */
static bool readable_add(struct readable *readable, uintptr_t at)
{
	uintptr_t page = at & -(uintptr_t)PAGE;

	if (readable->copy)
		return page >= PAGE && readable_page(at);
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

const void *readable_bytes(struct readable *readable, uintptr_t at, uintptr_t n)
{
	if (readable->copy)
		return readable_copied(readable->copy, at, n);
	return readable_prove(readable, at, n) ? (const void *)at : NULL;
}

bool readable_fetch(struct readable *readable, uintptr_t at, uintptr_t *word)
{
	const volatile uintptr_t *place = readable_bytes(readable, at, sizeof(*word));

	if (place)
		*word = *place;
	return place;
}
