/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Telling the characters of UTF-8 from control characters. */
#include "config.h"

#include "base/terminal.h"

#include <stdbool.h>
#include <string.h>

/* Bytes that a character which begins so has; 0: none begins so. */
static size_t utf8_announced(unsigned char first)
{
	return first < 0x80   ? 1
	       : first < 0xc2 ? 0
	       : first < 0xe0 ? 2
	       : first < 0xf0 ? 3
	       : first < 0xf5 ? 4
			      : 0;
}

static bool utf8_is_whole(const unsigned char *s, size_t len)
{
	for (size_t i = 1; i < len; i++) {
		if ((s[i] & 0xc0) != 0x80)
			return false;
	}
	/* Not what has a shorter form. */
	return !(s[0] == 0xe0 && s[1] < 0xa0) && !(s[0] == 0xf0 && s[1] < 0x90);
}

size_t terminal_shows(const char *s, size_t n)
{
	const unsigned char *bytes = (const unsigned char *)s;
	size_t len = utf8_announced(bytes[0]);

	if (len == 1)
		return bytes[0] >= ' ' && bytes[0] != 0x7f;
	if (len > 0 && len <= n && utf8_is_whole(bytes, len))
		return bytes[0] == 0xc2 && bytes[1] < 0xa0 ? 0 : len;
	return bytes[0] >= 0xa0;
}

size_t terminal_put(char to[TERMINAL_CHARACTER], const char **s, const char *end,
		    const char *layout)
{
	size_t len = terminal_shows(*s, (size_t)(end - *s));
	unsigned char control = (unsigned char)**s;

	if (len == 0 && control && strchr(layout, control))
		len = 1;
	if (len > 0) {
		memcpy(to, *s, len);
		*s += len;
		return len;
	}
	to[0] = '\\';
	for (unsigned i = 0; i < 3; i++)
		to[1 + i] = (char)('0' + (control >> (6 - 3 * i) & 7));
	(*s)++;
	return TERMINAL_CHARACTER;
}
