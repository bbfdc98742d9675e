/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Arenas: a list of zeroed blocks, the newest first; small requests share a block. */
#include "config.h"

#include "base/arena.h"

#include <stdalign.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK_BYTES = 256 * 1024, LARGE_BYTES = BLOCK_BYTES / 4 };

struct arena_block {
	struct arena_block *next;
	size_t used, size;
	alignas(max_align_t) unsigned char bytes[];
};

struct arena arena_scratch(const struct arena *parent)
{
	return (struct arena){ .no_memory = parent->no_memory, .arg = parent->arg };
}

static size_t aligned(size_t size)
{
	return (size + alignof(max_align_t) - 1) & ~(alignof(max_align_t) - 1);
}

/* calloc, because large blocks then come zeroed from the kernel and untouched pages cost nothing.
 */
static struct arena_block *new_block(struct arena *mem, size_t size)
{
	struct arena_block *block;

	if (size > SIZE_MAX - sizeof(*block))
		mem->no_memory(mem->arg);
	block = calloc(1, sizeof(*block) + size);
	if (!block)
		mem->no_memory(mem->arg);
	block->size = size;
	return block;
}

void *arena_alloc(struct arena *mem, size_t n, size_t size)
{
	struct arena_block *block = mem->top;
	size_t want;
	void *p;

	if (__builtin_mul_overflow(n, size, &want) || want > SIZE_MAX / 2)
		mem->no_memory(mem->arg);
	want = aligned(want);

	if (want > LARGE_BYTES) {
		/* A block of its own, behind the top one, which keeps its free space in use. */
		struct arena_block *own = new_block(mem, want);

		own->used = want;
		own->next = block ? block->next : NULL;
		if (block)
			block->next = own;
		else
			mem->top = own;
		return own->bytes;
	}
	if (!block || block->size - block->used < want) {
		block = new_block(mem, BLOCK_BYTES);
		block->next = mem->top;
		mem->top = block;
	}
	p = block->bytes + block->used;
	block->used += want;
	return p;
}

char *arena_strndup(struct arena *mem, const char *s, size_t len)
{
	char *copy = arena_array(mem, char, len + 1);

	memcpy(copy, s, len);
	return copy;
}

void arena_release(struct arena *mem, void *p)
{
	struct arena_block **link = &mem->top;

	while (*link && (*link)->bytes != p)
		link = &(*link)->next;
	/* The first in a block that others share has its address, too. */
	if (*link && (*link)->size != BLOCK_BYTES) {
		struct arena_block *block = *link;

		*link = block->next;
		free(block);
	}
}

void arena_adopt(struct arena *mem, struct arena *from)
{
	struct arena_block **end = &mem->top;

	while (*end)
		end = &(*end)->next;
	*end = from->top;
	from->top = NULL;
}

void arena_free(struct arena *mem)
{
	while (mem->top) {
		struct arena_block *block = mem->top;

		mem->top = block->next;
		free(block);
	}
}
