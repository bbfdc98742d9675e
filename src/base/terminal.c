/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Telling the characters of UTF-8 from control characters. */
#include "config.h"

#include "base/terminal.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/ioctl.h>

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

/*
 * Whether a whole character is one that turns the text behind it around, so that what is shown is
 * not what is there, or ends a line: U+061C, 200E, 200F, 2028 to 202E, 2066 to 2069. C1 controls
 * are U+0080 to 009F.
 */
static bool utf8_is_control(const unsigned char *s)
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
	size_t len = utf8_announced(bytes[0]);

	if (len == 1)
		return bytes[0] >= ' ' && bytes[0] != 0x7f;
	if (len > 0 && len <= n && utf8_is_whole(bytes, len))
		return utf8_is_control(bytes) ? 0 : len;
	return bytes[0] >= 0xa0;
}

/* Bytes of the control character at s. */
static size_t control_bytes(const unsigned char *s, size_t n)
{
	size_t len = utf8_announced(s[0]);

	return len > 1 && len <= n && utf8_is_whole(s, len) ? len : 1;
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
	len = control_bytes(bytes, n);
	for (size_t b = 0; b < len; b++) {
		*to++ = '\\';
		for (unsigned i = 0; i < 3; i++)
			*to++ = (char)('0' + (bytes[b] >> (6 - 3 * i) & 7));
	}
	*s += len;
	return TERMINAL_BYTE * len;
}

unsigned terminal_columns(int fd)
{
	struct winsize size;

	return ioctl(fd, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

/* The code point of a whole character. */
static uint32_t utf8_decode(const unsigned char *s, size_t n)
{
	uint32_t c = s[0] & (n == 1 ? 0x7fu : 0xffu >> (n + 1));

	for (size_t i = 1; i < n; i++)
		c = c << 6 | (s[i] & 0x3fu);
	return c;
}

unsigned terminal_width(const char *s, size_t n)
{
	static const struct {
		uint32_t from, upto;
	} wide[] = { { 0x1100, 0x115f },   { 0x231a, 0x231b },  { 0x2329, 0x232a },
		     { 0x23e9, 0x23f3 },   { 0x25fd, 0x27bf },  { 0x2b1b, 0x2b55 },
		     { 0x2e80, 0x303e },   { 0x3041, 0xa4cf },  { 0xa960, 0xa97c },
		     { 0xac00, 0xd7a3 },   { 0xf900, 0xfaff },  { 0xfe10, 0xfe6b },
		     { 0xff01, 0xff60 },   { 0xffe0, 0xffe6 },  { 0x16fe0, 0x1b2fb },
		     { 0x1f000, 0x1faff }, { 0x20000, 0x3fffd } };
	uint32_t c = n > 1 ? utf8_decode((const unsigned char *)s, n) : 0;

	for (size_t i = 0; c > 0 && i < sizeof(wide) / sizeof(wide[0]); i++) {
		if (c >= wide[i].from && c <= wide[i].upto)
			return 2;
	}
	return 1;
}

void terminal_tame(char *text)
{
	for (size_t n = strlen(text), len; n > 0; text += len, n -= len) {
		len = terminal_shows(text, n);
		if (len > 0)
			continue;
		len = control_bytes((const unsigned char *)text, n);
		memset(text, '?', len);
	}
}
