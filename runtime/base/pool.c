/* SPDX-License-Identifier: MIT */
/* Memory for small objects. See pool.h. */
#include "base/pool.h"

#include <stdbool.h>
#include <stdint.h>

#include "base/sys.h"
#include "state.h"

/* Bytes that are mapped at once, and the unit of sizes. */
enum { POOL_CHUNK = 65536, POOL_UNIT = 128 };

/* The head of a chunk. */
struct pool_chunk {
	uint32_t used; /* bytes, with this head; any thread, by compare-and-swap */
};

static void *pool_at(struct pool_chunk *chunk, uint32_t offset)
{
	return (char *)chunk + offset;
}

void *pool_take(size_t bytes)
{
	uint32_t size = (uint32_t)(bytes + POOL_UNIT - 1) & ~(uint32_t)(POOL_UNIT - 1);
	struct pool_chunk *chunk = __atomic_load_n(&gmon.pool, __ATOMIC_ACQUIRE);

	for (;;) {
		uint32_t used =
			chunk ? __atomic_load_n(&chunk->used, __ATOMIC_RELAXED) : POOL_CHUNK;
		struct pool_chunk *fresh;

		while (size <= POOL_CHUNK - used)
			if (__atomic_compare_exchange_n(&chunk->used, &used, used + size, false,
							__ATOMIC_RELAXED, __ATOMIC_RELAXED))
				return pool_at(chunk, used);
		fresh = sys_memory(POOL_CHUNK);
		if (!fresh)
			return NULL;
		fresh->used = POOL_UNIT + size;
		if (__atomic_compare_exchange_n(&gmon.pool, &chunk, fresh, false, __ATOMIC_ACQ_REL,
						__ATOMIC_ACQUIRE))
			return pool_at(fresh, POOL_UNIT);
		/* A handler or another thread has made a chunk meanwhile. */
		sys_munmap(fresh, POOL_CHUNK);
	}
}
