/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "base/join.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

char *join_strings(struct arena *mem, const char *const parts[], size_t n)
{
	size_t bytes = 1;
	char *text, *end;

	for (size_t i = 0; i < n; i++)
		bytes += strlen(parts[i]);
	text = end = arena_alloc(mem, bytes, 1);
	for (size_t i = 0; i < n; i++)
		end = stpcpy(end, parts[i]);
	return text;
}

char *join_format(struct arena *mem, const char *format, ...)
{
	va_list args, again;
	char *text;
	int n;

	va_start(args, format);
	va_copy(again, args);
	n = vsnprintf(NULL, 0, format, args);
	va_end(args);
	text = arena_array(mem, char, n < 0 ? 1 : (size_t)n + 1);
	if (n >= 0)
		vsnprintf(text, (size_t)n + 1, format, again);
	va_end(again);
	return text;
}

char *join_hex(struct arena *mem, const unsigned char *bytes, size_t n)
{
	static const char digits[] = "0123456789abcdef";
	char *text = arena_array(mem, char, 2 * n + 1);

	for (size_t i = 0; i < n; i++) {
		text[2 * i] = digits[bytes[i] >> 4];
		text[2 * i + 1] = digits[bytes[i] & 0xf];
	}
	return text;
}
