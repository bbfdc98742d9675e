/* SPDX-License-Identifier: GPL-3.0-or-later */
/* New strings from others. */
#ifndef BASE_JOIN_H
#define BASE_JOIN_H

#include "base/arena.h"

/* n strings one behind the other, in mem. */
char *join_strings(struct arena *mem, const char *const parts[], size_t n);

/* JOIN(mem, "a", "b"): any number of strings. */
#define JOIN(mem, ...)                                            \
	join_strings((mem), (const char *const[]){ __VA_ARGS__ }, \
		     sizeof((const char *const[]){ __VA_ARGS__ }) / sizeof(const char *))

/* What printf() would print, in mem. */
char *join_format(struct arena *mem, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* n bytes as two hexadecimal digits each, in mem. */
char *join_hex(struct arena *mem, const unsigned char *bytes, size_t n);

#endif
