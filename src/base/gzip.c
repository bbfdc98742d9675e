/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compression through zlib. */
#include "config.h"

#include "base/gzip.h"

#include <assert.h>
#include <string.h>
#include <zlib.h>

enum {
	LEVEL = 1, /* for exports of 10^6 functions, two thirds of the time of level 3, and 3 % more
		      bytes */
	FORMAT = 16 + 15, /* a gzip file, with the largest window */
	EFFORT = 8,       /* zlib's default for memory */
	BUFFER = 32 * 1024,
};

static void *gzip_allocate(void *mem, unsigned n, unsigned size)
{
	return arena_alloc(mem, n, size);
}

/* Does nothing: the arena frees the memory. */
static void gzip_release(void *mem, void *p)
{
	(void)mem;
	(void)p;
}

struct gzip gzip_begin(struct output *out, struct arena *mem)
{
	struct gzip gz = {
		.out = out,
		.stream = arena_array(mem, z_stream, 1),
		.buffer = arena_array(mem, unsigned char, BUFFER),
	};
	int rc;

	gz.stream->zalloc = gzip_allocate;
	gz.stream->zfree = gzip_release;
	gz.stream->opaque = mem;
	rc = deflateInit2(gz.stream, LEVEL, Z_DEFLATED, FORMAT, EFFORT, Z_DEFAULT_STRATEGY);
	assert(rc == Z_OK); /* the arena never returns NULL, and all other arguments are constant */
	(void)rc;
	return gz;
}

/* Compresses what is in the buffer; with `flush` Z_FINISH, to the end of the file. */
static void gzip_compress_buffer(struct gzip *gz, int flush)
{
	z_stream *z = gz->stream;

	z->next_in = gz->buffer;
	z->avail_in = (unsigned)gz->n;
	do {
		z->next_out = (unsigned char *)output_room(gz->out, BUFFER);
		z->avail_out = BUFFER;
		deflate(z, flush);
		output_took(gz->out, (char *)z->next_out);
	} while (z->avail_out == 0);
	gz->n = 0;
}

void gzip_bytes(struct gzip *gz, const void *bytes, size_t n)
{
	const unsigned char *from = bytes;

	while (n > 0) {
		size_t room = BUFFER - gz->n, part = n < room ? n : room;

		memcpy(gz->buffer + gz->n, from, part);
		gz->n += part;
		from += part;
		n -= part;
		if (gz->n == BUFFER)
			gzip_compress_buffer(gz, Z_NO_FLUSH);
	}
}

void gzip_end(struct gzip *gz)
{
	gzip_compress_buffer(gz, Z_FINISH);
	deflateEnd(gz->stream);
}
