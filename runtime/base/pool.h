/* SPDX-License-Identifier: MIT */
/*
 * Memory for small objects that are never freed. Many objects share a mapping, so that none takes
 * whole pages. Async-signal-safe, without locks.
 */
#ifndef BASE_POOL_H
#define BASE_POOL_H

#include <stddef.h>

/* Larger pieces should be mapped by themselves. */
enum { POOL_MOST = 16384 };

/*
 * Returns zeroed private memory of `bytes`, at most POOL_MOST. NULL: no memory. It is aligned to
 * 128 bytes: the pieces of two threads never share a cache line, nor two that are fetched together.
 */
void *pool_take(size_t bytes);

#endif
