/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A growing block of bytes written in a chosen byte order, and the end of a test tool in trouble.
 */
#ifndef TESTS_TOOLS_BYTES_H
#define TESTS_TOOLS_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* data has n bytes in use of room; all zero but `big` is an empty block. */
struct bytes {
	unsigned char *data;
	size_t n, room;
	bool big;
};

/* The name that messages begin with; each tool defines it. */
extern const char tool_name[];

/* Prints one line and ends the program with status 2. */
_Noreturn void die(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The number that all of the text is, as C writes it; else ends the program. */
uint64_t number_of(const char *text);

/* As calloc and realloc, but never NULL. */
void *xcalloc(size_t count, size_t size);
void *xrealloc(void *old, size_t size);

/* Appends the low `width` (1 to 8) bytes of value. */
void bytes_put(struct bytes *b, uint64_t value, unsigned width);
void bytes_add(struct bytes *b, const void *data, size_t n);
void bytes_fill(struct bytes *b, unsigned char value, size_t n);

/* Overwrites or reads `width` bytes at offset `at`, which must be inside the block. */
void bytes_set(struct bytes *b, size_t at, uint64_t value, unsigned width);
uint64_t bytes_get(const struct bytes *b, size_t at, unsigned width);

/* Writes the block to, or reads all of, the file `name` in the directory `dir`. */
void bytes_save(const struct bytes *b, const char *dir, const char *name);
void bytes_load(struct bytes *b, const char *dir, const char *name);

void bytes_free(struct bytes *b);

#endif
