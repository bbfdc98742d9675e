/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bump allocation with one lifetime: everything taken from an arena is freed together. */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Large memory that arenas have freed, kept for later arenas: clearing it costs less than new pages
 * from the system. Unused and used memory together never exceed the most that was in use at one
 * time. All zero is an empty pool. All arenas of a pool must be used by one thread.
 */
struct arena_pool {
	struct arena_range *unused;
	size_t nunused, nused, most; /* bytes */
	bool small_pages;            /* huge pages were slow, so none are asked for */
};

/* Returns unused memory to the system. The pool stays usable. */
void arena_pool_free(struct arena_pool *pool);

/*
 * Takes at least a megabyte of memory outside of arenas, not zeroed; NULL if there is none. It is
 * given back with its size, after which arenas may use it.
 */
void *arena_pool_take(struct arena_pool *pool, size_t size);
void arena_pool_give(struct arena_pool *pool, void *p, size_t size);

/*
 * An arena with no blocks and a handler is ready for use: `struct arena mem = { .no_memory = f };`
 * no_memory is called once when the system has no memory left; it must not return.
 */
struct arena {
	struct arena_block *top;
	size_t shared;           /* size of the newest block for small requests */
	struct arena_pool *pool; /* may be NULL */
	bool mapped; /* all memory comes from mmap(), because gprof's malloc() ends the program when
			there is none */
	bool aside;  /* used by a second thread, in which libraries must not end the program */
	void (*no_memory)(void *arg) __attribute__((noreturn));
	void *arg;
};

/*
 * Returns an empty arena that allocates like parent, and calls the same no_memory. The caller frees
 * it.
 */
struct arena arena_scratch(const struct arena *parent);

/*
 * Zeroed memory for n elements of size bytes each, aligned for any type; valid until arena_free().
 * Never NULL, also for n = 0. A product that does not fit size_t counts as exhaustion.
 */
void *arena_alloc(struct arena *mem, size_t n, size_t size);

/*
 * Like arena_alloc(), for memory that may stay untouched for the most part; untouched pages cost
 * nothing.
 */
void *arena_sparse(struct arena *mem, size_t n, size_t size);

/* Like arena_alloc(), for memory that the caller writes before reading it; it is not zeroed. */
void *arena_unset(struct arena *mem, size_t n, size_t size);

/*
 * Like arena_unset(), for n bytes of text, without alignment: very many short texts take a fifth
 * less memory.
 */
char *arena_text(struct arena *mem, size_t n);

/* A copy of the first len bytes of s, with a terminating NUL. */
char *arena_strndup(struct arena *mem, const char *s, size_t len);

/*
 * Frees the memory at p, which mem gave, if it is large; smaller memory is freed by arena_free().
 */
void arena_release(struct arena *mem, void *p);

/* Moves all memory of `from` to mem, with its lifetime; `from` is then empty. */
void arena_adopt(struct arena *mem, struct arena *from);

/*
 * Like arena_free(), but keeps one block for small requests: for an arena that is filled and
 * emptied again and again.
 */
void arena_reset(struct arena *mem);

/* Frees all that was taken from mem, which is then empty and may be used again. */
void arena_free(struct arena *mem);

#define arena_array(mem, type, n)       ((type *)arena_alloc((mem), (n), sizeof(type)))
#define arena_unset_array(mem, type, n) ((type *)arena_unset((mem), (n), sizeof(type)))

#endif
