/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bytes.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void die(const char *format, ...)
{
	va_list args;

	fprintf(stderr, "%s: ", tool_name);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
	exit(2);
}

uint64_t number_of(const char *text)
{
	char *end;
	uint64_t value = strtoull(text, &end, 0);

	if (*end || end == text)
		die("not a number: %s", text);
	return value;
}

void *xcalloc(size_t count, size_t size)
{
	void *p = calloc(count ? count : 1, size);

	if (!p)
		die("out of memory");
	return p;
}

void *xrealloc(void *old, size_t size)
{
	void *p = realloc(old, size ? size : 1);

	if (!p)
		die("out of memory");
	return p;
}

static unsigned char *grow(struct bytes *b, size_t n)
{
	if (n > b->room - b->n) {
		b->room = b->n + n + b->room;
		b->data = xrealloc(b->data, b->room);
	}
	b->n += n;
	return b->data + b->n - n;
}

static unsigned shift_of(const struct bytes *b, unsigned i, unsigned width)
{
	return 8 * (b->big ? width - 1 - i : i);
}

static void store(const struct bytes *b, unsigned char *to, uint64_t value, unsigned width)
{
	for (unsigned i = 0; i < width; i++)
		to[i] = (unsigned char)(value >> shift_of(b, i, width));
}

void bytes_put(struct bytes *b, uint64_t value, unsigned width)
{
	store(b, grow(b, width), value, width);
}

void bytes_add(struct bytes *b, const void *data, size_t n)
{
	if (n)
		memcpy(grow(b, n), data, n);
}

void bytes_fill(struct bytes *b, unsigned char value, size_t n)
{
	if (n)
		memset(grow(b, n), value, n);
}

static void check_inside(const struct bytes *b, size_t at, unsigned width)
{
	if (at > b->n || width > b->n - at)
		die("offset %zu is outside the block of %zu bytes", at, b->n);
}

void bytes_set(struct bytes *b, size_t at, uint64_t value, unsigned width)
{
	check_inside(b, at, width);
	store(b, b->data + at, value, width);
}

uint64_t bytes_get(const struct bytes *b, size_t at, unsigned width)
{
	uint64_t value = 0;

	check_inside(b, at, width);
	for (unsigned i = 0; i < width; i++)
		value |= (uint64_t)b->data[at + i] << shift_of(b, i, width);
	return value;
}

static FILE *open_in(const char *dir, const char *name, const char *mode)
{
	size_t length = strlen(dir) + strlen(name) + 2;
	char *path = xcalloc(length, 1);
	FILE *f;

	snprintf(path, length, "%s/%s", dir, name);
	f = fopen(path, mode);
	if (!f)
		die("%s: %s", path, strerror(errno));
	free(path);
	return f;
}

void bytes_save(const struct bytes *b, const char *dir, const char *name)
{
	FILE *f = open_in(dir, name, "wb");
	size_t written = b->n ? fwrite(b->data, 1, b->n, f) : 0;

	if (fclose(f) != 0 || written != b->n)
		die("%s/%s: %s", dir, name, strerror(errno));
}

void bytes_load(struct bytes *b, const char *dir, const char *name)
{
	FILE *f = open_in(dir, name, "rb");
	unsigned char block[65536];
	size_t n;

	while ((n = fread(block, 1, sizeof(block), f)) > 0)
		bytes_add(b, block, n);
	if (ferror(f))
		die("%s/%s: %s", dir, name, strerror(errno));
	fclose(f);
}

void bytes_free(struct bytes *b)
{
	free(b->data);
	b->data = NULL;
	b->n = b->room = 0;
}
