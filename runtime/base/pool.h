/* SPDX-License-Identifier: MIT */
/*
 * Memory for small things that are never given back: many share a mapping, so that they take what
 * they need and not whole pages. Async-signal-safe, without locks.
 */
#ifndef BASE_POOL_H
#define BASE_POOL_H

#include <stddef.h>

/* What is larger is better off with pages of its own. */
enum { POOL_MOST = 16384 };

/*
 * Zeroed private memory of at most POOL_MOST bytes, aligned to 128: what two threads have is never
 * in one line of a cache, nor in two that are fetched together. NULL: no memory.
 */
void *pool_take(size_t bytes);

#endif
