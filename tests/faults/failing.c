/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A library to preload: the FAIL_AT'th allocation fails and, with FAIL_ALL set, so do all behind
 * it. At the first failure a byte goes to descriptor FAIL_FD; with FAIL_TRACE set, the callers go
 * to stderr.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t n, size_t size);
extern void *__libc_realloc(void *old, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

static long fail_at, fail_all, fail_fd, fail_trace;
static atomic_long count;

static long number(const char *name)
{
	const char *value = getenv(name);

	return value ? atol(value) : 0;
}

/* Behind everything that happens before main(), which is no part of the program. */
__attribute__((constructor)) static void begin(void)
{
	void *callers[1];

	fail_all = number("FAIL_ALL");
	fail_fd = number("FAIL_FD");
	fail_trace = number("FAIL_TRACE");
	if (fail_trace)
		backtrace(callers, 1);
	atomic_store(&count, 0);
	fail_at = number("FAIL_AT");
}

static void tell(void)
{
	void *callers[64];
	long at = fail_at;

	if (write((int)fail_fd, "x", 1) != 1)
		_exit(99);
	if (!fail_trace)
		return;
	fail_at = 0;
	backtrace_symbols_fd(callers, backtrace(callers, 64), STDERR_FILENO);
	fail_at = at;
}

static int fails(void)
{
	long n;

	if (!fail_at)
		return 0;
	n = ++count;
	if (n == fail_at)
		tell();
	if (n != fail_at && !(fail_all && n > fail_at))
		return 0;
	errno = ENOMEM;
	return 1;
}

void *malloc(size_t size)
{
	return fails() ? NULL : __libc_malloc(size);
}

void *calloc(size_t n, size_t size)
{
	return fails() ? NULL : __libc_calloc(n, size);
}

void *realloc(void *old, size_t size)
{
	return fails() ? NULL : __libc_realloc(old, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
	return fails() ? NULL : __libc_memalign(alignment, size);
}

int posix_memalign(void **result, size_t alignment, size_t size)
{
	void *memory = aligned_alloc(alignment, size);

	if (!memory)
		return ENOMEM;
	*result = memory;
	return 0;
}

void *mmap(void *at, size_t size, int protection, int flags, int fd, off_t offset)
{
	void *(*next)(void *, size_t, int, int, int, off_t) = dlsym(RTLD_NEXT, "mmap");

	return fails() ? MAP_FAILED : next(at, size, protection, flags, fd, offset);
}
