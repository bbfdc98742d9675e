/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compressed output, as gzip(1) makes it. */
#ifndef BASE_GZIP_H
#define BASE_GZIP_H

#include "base/arena.h"
#include "base/output.h"

/* What comes in goes compressed to out, which is the owner's to close. */
struct gzip {
	struct output *out;
	struct z_stream_s *stream;
	unsigned char *buffer;
	size_t n;
};

/* All of its memory, a third of a megabyte, is mem's. The same bytes give the same bytes. */
struct gzip gzip_begin(struct output *out, struct arena *mem);

void gzip_bytes(struct gzip *gz, const void *bytes, size_t n);

/* Writes what is held back, and the sum that readers check. */
void gzip_end(struct gzip *gz);

#endif
