/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Allocation that ends the program instead of failing. Without memory, libbfd and libdw crash, or
 * continue without a part of what they read, so that reports would lack it without a message. The
 * linker redirects their calls, and gprof's own, to these functions (--wrap, where it has that
 * option and the libraries are static).
 *
 * In threads that read profiles, allocation may fail: gprof then reads without threads.
 */
#include "config.h"

#include "base/diag.h"

#include <errno.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

void *__real_malloc(size_t size);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *old, size_t size);
char *__real_strdup(const char *s);
void *__real_tsearch(const void *key, void **root, __compar_fn_t compare);

void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *old, size_t size);
char *__wrap_strdup(const char *s);
void *__wrap_tsearch(const void *key, void **root, __compar_fn_t compare);

/* io/image/image.c redirects only libbfd's messages; this writes to the descriptor. */
static void wrap_memory_write_line(void *to, const char *line)
{
	(void)to;
	/* Overwrites a line of progress. */
	if (isatty(STDERR_FILENO))
		dprintf(STDERR_FILENO, "\r%79s\r", "");
	dprintf(STDERR_FILENO, "%s\n", line);
}

/* Returns `memory`, a new block; ends the program if it is NULL although it has bytes. */
static void *wrap_memory_check(void *memory, size_t size)
{
	if (!memory && size > 0 && syscall(SYS_gettid) == getpid()) {
		struct diag diag = { .program = program_invocation_name,
				     .sink = wrap_memory_write_line };

		diag_error(&diag, "out of memory");
		exit(EXIT_FAILURE);
	}
	return memory;
}

void *__wrap_malloc(size_t size)
{
	return wrap_memory_check(__real_malloc(size), size);
}

void *__wrap_calloc(size_t n, size_t size)
{
	return wrap_memory_check(__real_calloc(n, size), n && size);
}

void *__wrap_realloc(void *old, size_t size)
{
	return wrap_memory_check(__real_realloc(old, size), size);
}

char *__wrap_strdup(const char *s)
{
	return wrap_memory_check(__real_strdup(s), 1);
}

void *__wrap_tsearch(const void *key, void **root, __compar_fn_t compare)
{
	return wrap_memory_check(__real_tsearch(key, root, compare), 1);
}
