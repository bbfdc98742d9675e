/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writes long text that two threads make in chunks.
 *
 * The calling thread goes through the chunks in order and formats each straight into the output.
 * The second thread works some chunks ahead and formats into memory; the caller only copies these
 * chunks. So the slower thread does less, and the caller hardly ever waits.
 */
#ifndef BASE_PARALLEL_OUTPUT_H
#define BASE_PARALLEL_OUTPUT_H

#include "base/arena.h"
#include "base/output.h"

#include <stddef.h>

enum {
	PARALLEL_OUTPUT_LINES = 1024,      /* about how many lines a chunk should have */
	PARALLEL_OUTPUT_MOST_LINES = 4096, /* chunks with more lines are left to the caller */
	PARALLEL_OUTPUT_LEAST = 32         /* with fewer chunks there is no second thread */
};

struct parallel_output {
	size_t n;
	bool alone;                /* use no second thread */
	struct progress *progress; /* counts lines; may be NULL */
	/* Returns about how many lines a chunk has. */
	size_t (*lines)(const void *writer, size_t chunk);
	/*
	 * Formats a chunk. `writer` is the calling thread's own; all other data must not change
	 * meanwhile. In the second thread, mem is an arena for temporary memory; in the caller it
	 * is NULL. If the text of the second thread does not fit, or mem.no_memory() is called, the
	 * caller formats that chunk again.
	 */
	void (*format)(void *writer, size_t chunk, struct arena *mem, struct output *out);
	void *writer[2]; /* one for the caller, one for the second thread */
};

/*
 * Writes all chunks. The bytes are the same with and without the second thread, which has ended
 * when this returns. There is none for few chunks, on one processor, or if its memory, at most 6 MB
 * of text, cannot be had.
 */
void parallel_output_write(const struct parallel_output *chunks, struct output *out,
			   const struct arena *parent);

#endif
