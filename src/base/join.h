/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Joins strings into new ones. */
#ifndef BASE_JOIN_H
#define BASE_JOIN_H

#include "base/arena.h"

/* Returns n strings joined, in mem. */
char *join_strings(struct arena *mem, const char *const parts[], size_t n);

/* JOIN(mem, "a", "b"): any number of strings. */
#define JOIN(mem, ...)                                            \
	join_strings((mem), (const char *const[]){ __VA_ARGS__ }, \
		     sizeof((const char *const[]){ __VA_ARGS__ }) / sizeof(const char *))

/* Returns what printf() would print, in mem. */
char *join_format(struct arena *mem, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Returns n bytes as two hexadecimal digits each, in mem. */
char *join_hex(struct arena *mem, const unsigned char *bytes, size_t n);

#endif
