/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Long text, made by two threads in chunks and written in order.
 *
 * The calling thread goes through the chunks and formats each straight into the output. The other
 * one is a few chunks ahead of it, and formats some into memory, which the caller then only
 * writes. So whoever is slower does less, and the caller hardly ever waits.
 */
#ifndef BASE_PARALLEL_OUTPUT_H
#define BASE_PARALLEL_OUTPUT_H

#include "base/arena.h"
#include "base/output.h"

#include <stddef.h>

enum {
	PARALLEL_OUTPUT_LINES = 1024,      /* a chunk should have about so many */
	PARALLEL_OUTPUT_MOST_LINES = 4096, /* those with more are left to the caller */
	PARALLEL_OUTPUT_LEAST = 32         /* fewer chunks are not worth a thread */
};

struct parallel_output {
	size_t n;
	bool alone;                /* there must be no second thread */
	struct progress *progress; /* of lines, or NULL */
	/* How many lines there are in a chunk, about. */
	size_t (*lines)(const void *writer, size_t chunk);
	/*
	 * Formats a chunk, by what does not change meanwhile and by what the thread has for itself:
	 * one of the writers and, for the second thread, an arena for what is needed for the
	 * moment; it is NULL for the caller. If the second one has no room for the text, or
	 * mem.no_memory() is called, the caller formats that chunk as well.
	 */
	void (*format)(void *writer, size_t chunk, struct arena *mem, struct output *out);
	void *writer[2]; /* the caller's, the other one's */
};

/*
 * Writes all chunks. The bytes are the same with and without the other thread, which has ended when
 * it returns: there is none for a few chunks, on one processor, or where no memory is for it. It
 * takes at most 6 MB for text.
 */
void parallel_output_write(const struct parallel_output *chunks, struct output *out,
			   const struct arena *parent);

#endif
