/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * An arena is a list of zeroed blocks, the newest first. Small requests share a block; a large one
 * has a block to itself, which is put second, so that the shared block stays the first:
 *
 *     top -> [ shared, 8 KiB: aaa bb cccc ..free.. ] -> [ 300 KiB: d ] -> [ shared, 4 KiB, full ]
 *
 * Each shared block is twice as large as the one before, so that arenas of a few bytes are cheap.
 *
 * Large blocks come from mmap(), in huge pages where the system has them: this saves a tenth of the
 * time of reports of 10^6 functions. Blocks that the kernel puts side by side are one
 * mapping, so that a huge page can be part of two blocks. But a virtual machine may have returned
 * its free memory to its host in huge pages. Then a huge page takes 2 to 5 ms instead of 0.05,
 * which is a quarter of the time of such reports, and as many small pages, of which the machine
 * keeps some, take 0.8 ms. So the first huge page of a mapping is timed, and after a slow one all
 * pages are small.
 */
#include "config.h"

#include "base/arena.h"

#include <stdalign.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

/*
 * With AddressSanitizer, what was not requested is poisoned, and each request in a shared block has
 * a gap after it, so that what writes beyond its array is found.
 */
#ifdef __SANITIZE_ADDRESS__
#define ARENA_HAS_GAPS 1
#elif defined(__has_feature)
#define ARENA_HAS_GAPS __has_feature(address_sanitizer)
#else
#define ARENA_HAS_GAPS 0
#endif

#if ARENA_HAS_GAPS
#include <sanitizer/asan_interface.h>
enum { GAP_BYTES = 16 };
#else
#define ASAN_POISON_MEMORY_REGION(at, n)   ((void)(at), (void)(n))
#define ASAN_UNPOISON_MEMORY_REGION(at, n) ((void)(at), (void)(n))
enum { GAP_BYTES = 0 };
#endif

enum {
	LEAST_BYTES = 4 * 1024, /* size of the first shared block, with its head */
	MOST_BYTES = 2 * 1024 * 1024,
	OWN_BYTES = 64 * 1024,      /* requests from this size on get a block of their own */
	MAPPED_BYTES = 1024 * 1024, /* blocks from this size on come from mmap() */
	WHOLE_PAGES = 64 * 1024,    /* a multiple of the page size of any machine */
	/* Smaller mappings would clear more of a huge page than they use. */
	HUGE_BYTES = 8 * 1024 * 1024,
};

/* The size on most machines; on others huge pages are larger. */
#define HUGE_PAGE      ((size_t)2 * 1024 * 1024)
#define SLOW_HUGE_PAGE 0.8 /* milliseconds: what small pages of the same size take */

struct arena_block {
	struct arena_block *next;
	size_t used, size;
	size_t mapped; /* size for munmap(); 0: the block is freed by free() */
	bool shared;
	alignas(max_align_t) unsigned char bytes[];
};

/* Written at the beginning of each unused range of memory. */
struct arena_range {
	struct arena_range *next;
	size_t size;
};

struct arena arena_scratch(const struct arena *parent)
{
	return (struct arena){ .no_memory = parent->no_memory,
			       .arg = parent->arg,
			       .pool = parent->pool,
			       .mapped = parent->mapped,
			       .aside = parent->aside };
}

static size_t arena_round_up(size_t size, size_t to)
{
	return (size + to - 1) / to * to;
}

/* Returns the beginning of the smallest unused range that is large enough, or NULL. */
static void *arena_take_range(struct arena_pool *pool, size_t size)
{
	struct arena_range **best = NULL, *range;

	for (struct arena_range **link = &pool->unused; *link; link = &(*link)->next) {
		if ((*link)->size >= size && (!best || (*link)->size < (*best)->size))
			best = link;
	}
	if (!best)
		return NULL;
	range = *best;
	if (range->size > size) {
		struct arena_range *rest = (struct arena_range *)((char *)range + size);

		*rest = (struct arena_range){ range->next, range->size - size };
		*best = rest;
	} else {
		*best = range->next;
	}
	pool->nunused -= size;
	return range;
}

static void arena_pool_shrink(struct arena_pool *pool)
{
	struct arena_range *range = pool->unused;

	pool->unused = range->next;
	pool->nunused -= range->size;
	munmap(range, range->size);
}

/*
 * Adds `size` to the memory in use, and returns unused ranges to the system if both together would
 * exceed the most that was in use at one time.
 */
static void arena_count_used(struct arena_pool *pool, size_t size)
{
	pool->nused += size;
	if (pool->nused > pool->most)
		pool->most = pool->nused;
	while (pool->nused + pool->nunused > pool->most)
		arena_pool_shrink(pool);
}

void arena_pool_free(struct arena_pool *pool)
{
	while (pool->unused)
		arena_pool_shrink(pool);
}

/* CPU time of this thread, which other threads do not increase. */
static double arena_thread_milliseconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

/*
 * Asks the system for huge pages for a mapping, unless the first huge page of a large mapping was
 * slow.
 */
static void arena_want_huge_pages(struct arena_pool *pool, char *p, size_t size)
{
	size_t ahead = -(uintptr_t)p % HUGE_PAGE;
	double start;

	if (pool && pool->small_pages)
		return;
	if (pool && size >= ahead + 2 * HUGE_PAGE) {
		madvise(p + ahead, HUGE_PAGE, MADV_HUGEPAGE);
		start = arena_thread_milliseconds();
		*(volatile char *)(p + ahead) = 0;
		pool->small_pages = arena_thread_milliseconds() - start > SLOW_HUGE_PAGE;
	}
	if (!pool || !pool->small_pages)
		madvise(p, size, MADV_HUGEPAGE);
}

/*
 * Returns memory, or NULL if there is none. It is zeroed unless `filled` says that the caller will
 * write all of it.
 */
static void *arena_map(struct arena_pool *pool, size_t size, bool filled)
{
	void *p = pool ? arena_take_range(pool, size) : NULL;

	if (pool)
		arena_count_used(pool, size);
	if (p)
		return filled ? p : memset(p, 0, size);
	p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (p == MAP_FAILED) {
		if (pool)
			pool->nused -= size;
		return NULL;
	}
	if (size > MOST_BYTES || !pool || pool->nused > HUGE_BYTES)
		arena_want_huge_pages(pool, p, size);
	return p;
}

static void arena_unmap(struct arena_pool *pool, void *p, size_t size)
{
	struct arena_range *range = p;

	if (!pool) {
		munmap(p, size);
		return;
	}
	*range = (struct arena_range){ pool->unused, size };
	pool->unused = range;
	pool->nunused += size;
	pool->nused -= size;
}

void *arena_pool_take(struct arena_pool *pool, size_t size)
{
	return size > SIZE_MAX / 2 ? NULL
				   : arena_map(pool, arena_round_up(size, WHOLE_PAGES), true);
}

void arena_pool_give(struct arena_pool *pool, void *p, size_t size)
{
	arena_unmap(pool, p, arena_round_up(size, WHOLE_PAGES));
}

/* What a block contains at first. */
enum arena_use { USE_ZEROED, USE_SPARSE, USE_FILLED };

static struct arena_block *arena_new_block(struct arena *mem, size_t size, enum arena_use use)
{
	size_t whole = sizeof(struct arena_block) + size;
	bool by_malloc = !mem->mapped && (whole < MAPPED_BYTES || use == USE_SPARSE);
	size_t mapped = by_malloc ? 0 : arena_round_up(whole, WHOLE_PAGES);
	struct arena_block *block;

	if (mapped)
		block = arena_map(mem->pool, mapped, use == USE_FILLED);
	else
		block = use == USE_FILLED ? malloc(whole) : calloc(1, whole);
	if (!block)
		mem->no_memory(mem->arg);
	block->size = size;
	block->mapped = mapped;
	block->shared = false;
	return block;
}

static void arena_free_block(struct arena *mem, struct arena_block *block)
{
	ASAN_UNPOISON_MEMORY_REGION(block->bytes, block->size);
	if (block->mapped)
		arena_unmap(mem->pool, block, block->mapped);
	else
		free(block);
}

/* Returns the size of n elements, rounded up for alignment. */
static size_t arena_bytes(const struct arena *mem, size_t n, size_t size)
{
	size_t want;

	if (__builtin_mul_overflow(n, size, &want) || want > SIZE_MAX / 2)
		mem->no_memory(mem->arg);
	return arena_round_up(want, alignof(max_align_t));
}

/*
 * Allocates a block for one request and puts it second in the list, so that the top block's free
 * space stays in use.
 */
static void *arena_own_block(struct arena *mem, size_t size, enum arena_use use)
{
	struct arena_block *own = arena_new_block(mem, size, use);

	own->used = size;
	own->next = mem->top ? mem->top->next : NULL;
	if (mem->top)
		mem->top->next = own;
	else
		mem->top = own;
	return own->bytes;
}

/* Makes a new top block with room for at least `want` bytes. */
static struct arena_block *arena_share_block(struct arena *mem, size_t want)
{
	size_t whole = mem->shared < MOST_BYTES / 2 ? 2 * mem->shared : MOST_BYTES;
	struct arena_block *block;

	if (whole < LEAST_BYTES)
		whole = LEAST_BYTES;
	while (whole - sizeof(*block) < want)
		whole *= 2;
	block = arena_new_block(mem, whole - sizeof(*block), USE_ZEROED);
	ASAN_POISON_MEMORY_REGION(block->bytes, block->size);
	block->shared = true;
	block->next = mem->top;
	mem->top = block;
	mem->shared = whole;
	return block;
}

static void *arena_take_bytes(struct arena *mem, size_t want, size_t align)
{
	struct arena_block *block = mem->top;
	size_t at = block ? arena_round_up(block->used, align) : 0;

	if (want > OWN_BYTES)
		return arena_own_block(mem, want, USE_ZEROED);
	if (!block || at > block->size || block->size - at < want) {
		block = arena_share_block(mem, want);
		at = 0;
	}
	block->used = at + want < block->size - GAP_BYTES ? at + want + GAP_BYTES : block->size;
	ASAN_UNPOISON_MEMORY_REGION(block->bytes + at, want);
	return block->bytes + at;
}

void *arena_alloc(struct arena *mem, size_t n, size_t size)
{
	return arena_take_bytes(mem, arena_bytes(mem, n, size), alignof(max_align_t));
}

char *arena_text(struct arena *mem, size_t n)
{
	return arena_take_bytes(mem, n > 0 ? n : 1, 1);
}

void *arena_sparse(struct arena *mem, size_t n, size_t size)
{
	size_t want = arena_bytes(mem, n, size);

	return want > OWN_BYTES ? arena_own_block(mem, want, USE_SPARSE)
				: arena_alloc(mem, want, 1);
}

void *arena_unset(struct arena *mem, size_t n, size_t size)
{
	size_t want = arena_bytes(mem, n, size);

	return want > OWN_BYTES ? arena_own_block(mem, want, USE_FILLED)
				: arena_alloc(mem, want, 1);
}

char *arena_strndup(struct arena *mem, const char *s, size_t len)
{
	char *copy = arena_text(mem, len + 1);

	memcpy(copy, s, len);
	return copy;
}

void arena_release(struct arena *mem, void *p)
{
	struct arena_block **link = &mem->top;

	while (*link && (*link)->bytes != p)
		link = &(*link)->next;
	/* p may also be the first address in a shared block, which must not be freed. */
	if (*link && !(*link)->shared) {
		struct arena_block *block = *link;

		*link = block->next;
		arena_free_block(mem, block);
	}
}

void arena_adopt(struct arena *mem, struct arena *from)
{
	struct arena_block **end = &mem->top;

	while (*end)
		end = &(*end)->next;
	*end = from->top;
	for (; *end && mem->pool && mem->pool != from->pool; end = &(*end)->next)
		arena_count_used(mem->pool, (*end)->mapped);
	from->top = NULL;
}

static void arena_free_blocks(struct arena *mem, struct arena_block **link)
{
	while (*link) {
		struct arena_block *block = *link;

		*link = block->next;
		arena_free_block(mem, block);
	}
}

void arena_reset(struct arena *mem)
{
	struct arena_block *top = mem->top;

	if (!top || !top->shared) {
		arena_free(mem);
		return;
	}
	arena_free_blocks(mem, &top->next);
	ASAN_UNPOISON_MEMORY_REGION(top->bytes, top->used);
	memset(top->bytes, 0, top->used);
	ASAN_POISON_MEMORY_REGION(top->bytes, top->used);
	top->used = 0;
}

void arena_free(struct arena *mem)
{
	arena_free_blocks(mem, &mem->top);
	mem->shared = 0;
}
