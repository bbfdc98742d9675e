/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Allocation that never fails. libbfd and libdw crash when there is no memory, or go on without a
 * part of what they read, so that a report would lack it and nobody be told. The linker sends
 * their calls, and ours, here (--wrap, where it knows that and they are static).
 *
 * In the threads that read profiles a failure is an answer: reading goes on without them then.
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

/* io/image/image.c keeps libbfd from stderr, but not from its descriptor. */
static void line_to_descriptor(void *to, const char *line)
{
	(void)to;
	/* Over the line of progress, which may stand there. */
	if (isatty(STDERR_FILENO))
		dprintf(STDERR_FILENO, "\r%79s\r", "");
	dprintf(STDERR_FILENO, "%s\n", line);
}

/* `memory` is a new block, which has to be there unless it has no bytes. */
static void *checked(void *memory, size_t size)
{
	if (!memory && size > 0 && syscall(SYS_gettid) == getpid()) {
		struct diag diag = { .program = program_invocation_name,
				     .sink = line_to_descriptor };

		diag_error(&diag, "out of memory");
		exit(EXIT_FAILURE);
	}
	return memory;
}

void *__wrap_malloc(size_t size)
{
	return checked(__real_malloc(size), size);
}

void *__wrap_calloc(size_t n, size_t size)
{
	return checked(__real_calloc(n, size), n && size);
}

void *__wrap_realloc(void *old, size_t size)
{
	return checked(__real_realloc(old, size), size);
}

char *__wrap_strdup(const char *s)
{
	return checked(__real_strdup(s), 1);
}

void *__wrap_tsearch(const void *key, void **root, __compar_fn_t compare)
{
	return checked(__real_tsearch(key, root, compare), 1);
}
