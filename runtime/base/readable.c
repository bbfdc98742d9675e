/* SPDX-License-Identifier: MIT */
/* Reads memory that may not exist. See readable.h. */
#include "base/readable.h"

#include <sys/uio.h>

#include "base/sandbox.h"
#include "base/sys.h"
#include "base/text.h"

enum {
	MOST_PAGES = 32,
	BELOW = 128 /* bytes below the stack pointer in which functions may keep data */
};

enum { STRING_BYTES = 64 /* of a string that are copied at once; divides a page */ };

static const uintptr_t most_stack = (uintptr_t)1 << 30;

/*
 * Whether the page of an address can be read. rt_sigprocmask() with a wrong `how` reads the set of
 * signals before it fails: EINVAL, or EFAULT if the set cannot be read. Not inlined, so that memory
 * checkers can be told that this only asks.
 */
__attribute__((noinline)) static bool readable_asks(uintptr_t at)
{
	const uintptr_t set = 8;

	return at >= READABLE_PAGE && SYS4(SYS_rt_sigprocmask, -1, at & -set, NULL, set) == -EINVAL;
}

/* Bytes from an address to the end of its page, at most n. */
static size_t readable_rest(uintptr_t at, size_t n)
{
	size_t rest = READABLE_PAGE - at % READABLE_PAGE;

	return rest < n ? rest : n;
}

/* Copies n bytes without the kernel's help. The result: how many could be read, from the first. */
__attribute__((noinline)) static size_t readable_ask_and_copy(void *to, uintptr_t from, size_t n)
{
	unsigned char *bytes = to;
	size_t done = 0;

	while (done < n && from + done >= from && readable_asks(from + done))
		for (size_t end = done + readable_rest(from + done, n - done); done < end; done++)
			bytes[done] = *(const volatile unsigned char *)(from + done);
	return done;
}

/*
 * Lets the kernel copy the parts, each whole or not at all. Returns how many bytes it has copied,
 * or -errno; -EFAULT means that the first part cannot be read.
 */
static long readable_by_kernel(void *to, size_t bytes, const struct readable_part *part, unsigned n)
{
	const struct iovec here = { to, bytes };

	_Static_assert(sizeof(*part) == sizeof(here) && sizeof(part->at) == sizeof(here.iov_base),
		       "readable_part is what the kernel takes for an iovec");
	return sandbox_forbids_looking()
		       ? -ENOSYS
		       : SYS6(SYS_process_vm_readv, sys_gettid(), &here, 1, part, n, 0);
}

bool readable_gather(void *to, const struct readable_part *part, unsigned n)
{
	unsigned char *bytes = to;
	size_t all = 0;
	long done;

	for (unsigned i = 0; i < n; i++)
		all += part[i].n;
	done = readable_by_kernel(to, all, part, n);
	if (!sys_failed(done) || done == -EFAULT)
		return done == (long)all;
	for (unsigned i = 0; i < n; bytes += part[i++].n)
		if (readable_ask_and_copy(bytes, part[i].at, part[i].n) != part[i].n)
			return false;
	return true;
}

bool readable_copy(void *to, uintptr_t from, size_t n)
{
	const struct readable_part part = { from, n };

	return readable_gather(to, &part, 1);
}

bool readable_string(struct text *text, uintptr_t from)
{
	char piece[STRING_BYTES];
	size_t length;

	do {
		size_t n = STRING_BYTES - from % STRING_BYTES;

		if (!readable_copy(piece, from, n))
			return false;
		for (length = 0; length < n && piece[length]; length++)
			;
		text_add_bytes(text, piece, length);
		from += n;
		n -= length;
		if (n)
			return true;
	} while (!text->full);
	return false;
}

/* Copies as much as can be read from an address on, in parts that end where pages do. */
static void readable_fill(struct readable *readable, uintptr_t at)
{
	struct readable_part part[READABLE_PIECE_BYTES / READABLE_PAGE + 1];
	unsigned n = 0;
	long done;

	for (uintptr_t left = sizeof(readable->piece), from = at; left && from >= at; n++) {
		part[n].at = from;
		part[n].n = readable_rest(from, left);
		from += part[n].n;
		left -= part[n].n;
	}
	done = readable_by_kernel(readable->piece, sizeof(readable->piece), part, n);
	if (sys_failed(done))
		done = done == -EFAULT || readable->blocked
			       ? 0
			       : (long)readable_ask_and_copy(readable->piece, at,
							     sizeof(readable->piece));
	readable->piece_low = at;
	readable->piece_high = at + (uintptr_t)done;
}

/* Extends [low, high) to the page of the stack pointer. */
static void readable_extend(struct readable *readable, uintptr_t sp, uintptr_t top)
{
	const uintptr_t page = sp & -(uintptr_t)READABLE_PAGE;

	if (top < readable->low || top >= readable->high) {
		readable->low = top & -(uintptr_t)READABLE_PAGE;
		readable->high = readable->low;
		if (readable_asks(top))
			readable->high += READABLE_PAGE;
	}
	for (int i = 0; i < MOST_PAGES && page < readable->low; i++) {
		uintptr_t next = readable->low - READABLE_PAGE;

		if (!readable_asks(next < sp ? sp : next))
			return;
		readable->low = next;
	}
}

void readable_begin(struct readable *readable, uintptr_t sp, uintptr_t top)
{
	readable->piece_low = readable->piece_high = 0;
	readable->from = readable->high;
	if (readable->blocked) {
		readable_fill(readable, sp - BELOW);
	} else if (top && sp < top && top - sp <= most_stack) {
		readable_extend(readable, sp, top);
		/* What lies below belongs to no frame; it may be a stack that was freed. */
		readable->from = readable->low < sp ? sp : readable->low;
	}
}

const void *readable_bytes(struct readable *readable, uintptr_t at, uintptr_t n)
{
	if (at >= readable->from && at < readable->high && n <= readable->high - at)
		return (const void *)at;
	if (at < readable->piece_low || at - readable->piece_low > sizeof(readable->piece) - n)
		readable_fill(readable, at);
	return at <= readable->piece_high && n <= readable->piece_high - at
		       ? readable->piece + (at - readable->piece_low)
		       : NULL;
}

bool readable_fetch(struct readable *readable, uintptr_t at, uintptr_t *word)
{
	const volatile uintptr_t *place = readable_bytes(readable, at, sizeof(*word));

	if (place)
		*word = *place;
	return place;
}

/* The copy of the page at an address. NULL: it cannot be read. */
static const unsigned char *readable_page(struct readable *readable, uintptr_t key, uintptr_t page)
{
	uintptr_t number = page / READABLE_PAGE;
	uintptr_t i = (number ^ number / READABLE_PAGES) % READABLE_PAGES;

	if (readable->kept[i].at == page && readable->kept[i].key == key)
		return readable->page[i];
	readable->kept[i].key = 0;
	if (!readable_copy(readable->page[i], page, READABLE_PAGE))
		return NULL;
	readable->kept[i].at = page;
	readable->kept[i].key = key;
	return readable->page[i];
}

bool readable_object(struct readable *readable, uintptr_t key, uintptr_t at, void *to, size_t n)
{
	unsigned char *bytes = to;

	while (n) {
		size_t here = readable_rest(at, n);
		const unsigned char *page =
			readable_page(readable, key, at & -(uintptr_t)READABLE_PAGE);

		if (!page)
			return false;
		for (size_t i = 0; i < here; i++)
			*bytes++ = page[at % READABLE_PAGE + i];
		at += here;
		n -= here;
	}
	return true;
}
