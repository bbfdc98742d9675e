/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Distinguishes characters of UTF-8 from control characters. */
#include "config.h"

#include "base/terminal.h"

#include <stdbool.h>
#include <string.h>

/* Returns the number of bytes of a character that begins with this byte; 0: no character does. */
static size_t terminal_utf8_announced(unsigned char first)
{
	return first < 0x80   ? 1
	       : first < 0xc2 ? 0
	       : first < 0xe0 ? 2
	       : first < 0xf0 ? 3
	       : first < 0xf5 ? 4
			      : 0;
}

static bool terminal_utf8_is_whole(const unsigned char *s, size_t len)
{
	for (size_t i = 1; i < len; i++) {
		if ((s[i] & 0xc0) != 0x80)
			return false;
	}
	/* Excludes characters that have a shorter encoding. */
	return !(s[0] == 0xe0 && s[1] < 0xa0) && !(s[0] == 0xf0 && s[1] < 0x90);
}

/*
 * Whether a complete character ends a line, or turns the direction of the text after it, so that a
 * terminal shows another text than there is: U+061C, 200E, 200F, 2028 to 202E, 2066 to 2069. C1
 * controls are U+0080 to 009F.
 */
static bool terminal_utf8_is_control(const unsigned char *s)
{
	if (s[0] == 0xc2)
		return s[1] < 0xa0;
	if (s[0] == 0xd8)
		return s[1] == 0x9c;
	if (s[0] != 0xe2)
		return false;
	if (s[1] == 0x80)
		return s[2] == 0x8e || s[2] == 0x8f || (s[2] >= 0xa8 && s[2] <= 0xae);
	return s[1] == 0x81 && s[2] >= 0xa6 && s[2] <= 0xa9;
}

size_t terminal_shows(const char *s, size_t n)
{
	const unsigned char *bytes = (const unsigned char *)s;
	size_t len = terminal_utf8_announced(bytes[0]);

	if (len == 1)
		return bytes[0] >= ' ' && bytes[0] != 0x7f;
	if (len > 0 && len <= n && terminal_utf8_is_whole(bytes, len))
		return terminal_utf8_is_control(bytes) ? 0 : len;
	return bytes[0] >= 0xa0;
}

/* Returns the number of bytes of the control character at s. */
static size_t terminal_control_bytes(const unsigned char *s, size_t n)
{
	size_t len = terminal_utf8_announced(s[0]);

	return len > 1 && len <= n && terminal_utf8_is_whole(s, len) ? len : 1;
}

size_t terminal_put(char to[TERMINAL_CHARACTER], const char **s, const char *end,
		    const char *layout)
{
	const unsigned char *bytes = (const unsigned char *)*s;
	size_t n = (size_t)(end - *s), len = terminal_shows(*s, n);

	if (len == 0 && bytes[0] && strchr(layout, bytes[0]))
		len = 1;
	if (len > 0) {
		memcpy(to, *s, len);
		*s += len;
		return len;
	}
	len = terminal_control_bytes(bytes, n);
	for (size_t b = 0; b < len; b++) {
		*to++ = '\\';
		for (unsigned i = 0; i < 3; i++)
			*to++ = (char)('0' + (bytes[b] >> (6 - 3 * i) & 7));
	}
	*s += len;
	return TERMINAL_BYTE * len;
}

void terminal_tame(char *text)
{
	for (size_t n = strlen(text), len; n > 0; text += len, n -= len) {
		len = terminal_shows(text, n);
		if (len > 0)
			continue;
		len = terminal_control_bytes((const unsigned char *)text, n);
		memset(text, '?', len);
	}
}
