/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes foreign names, character by character. */
#include "config.h"

#include "base/quote.h"

#include "base/terminal.h"

#include <string.h>

static const char replacement[] = "\xef\xbf\xbd"; /* U+FFFD */

/*
 * Returns the bytes of the multibyte character at s; 0 if there is none, or none that text may
 * contain.
 */
static size_t quote_measure_wide(const char *s, size_t n)
{
	const unsigned char *bytes = (const unsigned char *)s;
	size_t len = terminal_shows(s, n);

	if (len < 2)
		return 0;
	if (bytes[0] == 0xed && bytes[1] >= 0xa0) /* half of a UTF-16 surrogate pair */
		return 0;
	if (bytes[0] == 0xef && bytes[1] == 0xbf && bytes[2] >= 0xbe) /* U+FFFE, U+FFFF */
		return 0;
	if (bytes[0] == 0xf4 && bytes[1] >= 0x90) /* beyond U+10FFFF, the last character */
		return 0;
	return len;
}

static bool quote_is_control(char c)
{
	return (unsigned char)c < ' ' || c == 0x7f;
}

/*
 * Writes characters up to the first ASCII character that is a control character or special, or to
 * the end, where there is a NUL. Returns where that is.
 */
static const char *quote_write_harmless(struct output *out, const char *s, const char *end,
					const char *special)
{
	enum { FIRST = ' ', LAST = '~', BYTES = 256 };
	bool held[BYTES]; /* bytes that must be checked or replaced; a NUL is one */

	memset(held, true, sizeof(held));
	memset(held + FIRST, false, LAST - FIRST + 1);
	for (; *special; special++)
		held[(unsigned char)*special] = true;
	while (s < end) {
		const char *from = s;
		size_t len;

		while (!held[(unsigned char)*s])
			s++;
		output_bytes(out, from, (size_t)(s - from));
		if (s == end || (unsigned char)*s < 0x80)
			break;
		len = quote_measure_wide(s, (size_t)(end - s));
		if (len > 0)
			output_bytes(out, s, len);
		else
			output_text(out, replacement);
		s += len > 0 ? len : 1;
	}
	return s;
}

void quote_json(struct output *out, const char *text)
{
	const char *end = text + strlen(text);

	output_char(out, '"');
	while ((text = quote_write_harmless(out, text, end, "\"\\<>&")) < end) {
		if (*text == '"' || *text == '\\') {
			output_char(out, '\\');
			output_char(out, *text);
		} else {
			output_format(out, "\\u%04x", (unsigned)*text);
		}
		text++;
	}
	output_char(out, '"');
}

void quote_xml(struct output *out, const char *text)
{
	const char *end = text + strlen(text);

	while ((text = quote_write_harmless(out, text, end, "<>&\"'")) < end) {
		if (*text == '\t' || *text == '\n' || *text == 0x7f || strchr("<>&\"'", *text))
			output_format(out, "&#%u;", (unsigned)*text);
		else
			output_text(out, replacement);
		text++;
	}
}

void quote_plain(struct output *out, const char *text, const char *special, char other)
{
	const char *end = text + strlen(text);

	while ((text = quote_write_harmless(out, text, end, special)) < end) {
		output_char(out, other);
		text++;
	}
}

void quote_csv(struct output *out, const char *text)
{
	const char *end = text + strlen(text);

	output_char(out, '"');
	if (*text && strchr("=+-@\t\r\n", *text))
		output_char(out, '\'');
	while ((text = quote_write_harmless(out, text, end, "\"")) < end) {
		if (*text == '"')
			output_text(out, "\"\"");
		else
			output_char(out, strchr("\n\r\t", *text) ? *text : '?');
		text++;
	}
	output_char(out, '"');
}

void quote_dot(struct output *out, const char *text)
{
	const char *end = text + strlen(text);

	while ((text = quote_write_harmless(out, text, end, "\"\\&")) < end) {
		if (*text == '&') {
			output_text(out, "&amp;");
		} else if (quote_is_control(*text)) {
			output_char(out, '?');
		} else {
			output_char(out, '\\');
			output_char(out, *text);
		}
		text++;
	}
}

/* Returns the length of the character at s if it can be written unchanged, else 0. */
static size_t quote_kept(const char *s, size_t n)
{
	if ((unsigned char)*s < 0x80)
		return quote_is_control(*s) ? 0 : 1;
	return quote_measure_wide(s, n);
}

const char *quote_copy(const char *text, char other, struct arena *mem)
{
	const char *s = text, *end = text + strlen(text);
	size_t len = 0, n = sizeof(replacement) - 1;
	char *copy;

	while (s < end && (len = quote_kept(s, (size_t)(end - s))) > 0)
		s += len;
	if (s == end)
		return text;
	copy = arena_array(mem, char, (size_t)(end - text) * n + 1);
	n = 0;
	s = text;
	while (s < end) {
		len = quote_kept(s, (size_t)(end - s));
		if (len > 0)
			memcpy(copy + n, s, len);
		else if ((unsigned char)*s < 0x80)
			copy[n] = other;
		else
			memcpy(copy + n, replacement, sizeof(replacement) - 1);
		n += len > 0 ? len : (unsigned char)*s < 0x80 ? 1 : sizeof(replacement) - 1;
		s += len > 0 ? len : 1;
	}
	return copy;
}
