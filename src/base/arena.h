/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bump allocation with one lifetime: everything taken from an arena is freed together. */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Large memory that arenas have given back, kept for arenas to come: clearing it costs less than
 * new pages from the system. What is kept and what is in use are together never more than the most
 * that was in use at one time. All zero is an empty pool. For arenas of one thread.
 */
struct arena_pool {
	struct arena_range *unused;
	size_t nunused, nused, most; /* bytes */
	bool small_pages;            /* huge ones were found to be slow */
};

/* Gives back what no arena uses. The pool can be used on. */
void arena_pool_free(struct arena_pool *pool);

/* Memory outside of arenas, at least a megabyte, for who writes it before reading it; NULL if there
 * is none. It goes back with its size, and arenas may have it. */
void *arena_pool_take(struct arena_pool *pool, size_t size);
void arena_pool_give(struct arena_pool *pool, void *p, size_t size);

/*
 * An arena with no blocks and a handler is ready for use: `struct arena mem = { .no_memory = f };`
 * no_memory is called once when the system has no memory left; it must not return.
 */
struct arena {
	struct arena_block *top;
	size_t shared;           /* size of the last block for small requests */
	struct arena_pool *pool; /* may be NULL */
	bool mapped; /* all memory by mmap(): gprof's malloc() ends the program itself */
	bool aside;  /* of a second thread, in which libraries must not end the program */
	void (*no_memory)(void *arg) __attribute__((noreturn));
	void *arg;
};

/* An empty arena that allocates and reports exhaustion as parent does; its memory is its own. */
struct arena arena_scratch(const struct arena *parent);

/*
 * Zeroed memory for n elements of size bytes each, aligned for any type; valid until arena_free().
 * Never NULL, also for n = 0. A product that does not fit size_t counts as exhaustion.
 */
void *arena_alloc(struct arena *mem, size_t n, size_t size);

/* The same for memory that may stay untouched for the most part, which then costs nothing. */
void *arena_sparse(struct arena *mem, size_t n, size_t size);

/* The same for memory that is all written before it is read, and need not be zeroed. */
void *arena_unset(struct arena *mem, size_t n, size_t size);

/* The same for n bytes of text, anywhere: very many small ones take a fifth less. */
char *arena_text(struct arena *mem, size_t n);

/* A copy of the first len bytes of s, with a terminating NUL. */
char *arena_strndup(struct arena *mem, const char *s, size_t len);

/* Frees early what mem gave at p, if it is large; else the memory waits for arena_free(). */
void arena_release(struct arena *mem, void *p);

/* All that lives in `from` lives in mem from now on; `from` is then empty. */
void arena_adopt(struct arena *mem, struct arena *from);

/*
 * The same as arena_free(), but a block for small requests stays for the next ones: for what is
 * needed again and again, for a moment.
 */
void arena_reset(struct arena *mem);

/* Frees all that was taken from mem, which is then empty and may be used again. */
void arena_free(struct arena *mem);

#define arena_array(mem, type, n)       ((type *)arena_alloc((mem), (n), sizeof(type)))
#define arena_unset_array(mem, type, n) ((type *)arena_unset((mem), (n), sizeof(type)))

#endif
