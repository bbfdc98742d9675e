/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compresses output, as gzip(1) does. */
#ifndef BASE_GZIP_H
#define BASE_GZIP_H

#include "base/arena.h"
#include "base/output.h"

/* What is written to `in` goes compressed to `out`, which the owner closes. */
struct gzip {
	struct output *out;
	struct z_stream_s *stream;
	unsigned char *buffer;
	size_t n;
};

/*
 * Starts compressing. All memory, a third of a megabyte, is taken from mem. Equal input gives equal
 * output.
 */
struct gzip gzip_begin(struct output *out, struct arena *mem);

void gzip_bytes(struct gzip *gz, const void *bytes, size_t n);

/* Writes the bytes not yet written, and the checksum. */
void gzip_end(struct gzip *gz);

#endif
