/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/profile/text_lines.h"

#include "gmon_text.h"

#include <string.h>

/* What is left of a line. */
struct text_rest {
	const char *at, *end;
};

static int text_hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* The number of hexadecimal digits at the beginning. */
static size_t text_count_digits(const struct text_rest *rest)
{
	size_t n = 0;

	while (rest->at + n < rest->end && text_hex_digit(rest->at[n]) >= 0)
		n++;
	return n;
}

/* Takes n hexadecimal digits, which are there, at most 16. */
static uint64_t text_take_number(struct text_rest *rest, size_t n)
{
	uint64_t value = 0;

	for (; n > 0; n--)
		value = value << 4 | (uint64_t)text_hex_digit(*rest->at++);
	return value;
}

/* Skips at most `most` blanks and returns how many there were. */
static size_t text_skip_blanks(struct text_rest *rest, size_t most)
{
	size_t n = 0;

	while (n < most && rest->at < rest->end && (*rest->at == ' ' || *rest->at == '\t')) {
		rest->at++;
		n++;
	}
	return n;
}

static bool text_take_word(struct text_rest *rest, const char *word)
{
	size_t n = strlen(word);

	if ((size_t)(rest->end - rest->at) < n || memcmp(rest->at, word, n) != 0)
		return false;
	rest->at += n;
	return true;
}

/* Takes a group of two or four digits that ends with a blank or the line. False if there is none.
 */
static bool text_take_group(struct text_line *line, struct text_rest *rest, bool swapped)
{
	size_t digits = text_count_digits(rest), first = line->n;
	const char *end = rest->at + digits;

	if ((digits != 2 && digits != 4) || line->n + 2 > TEXT_LINE_BYTES ||
	    (end < rest->end && *end != ' ' && *end != '\t'))
		return false;
	while (rest->at < end)
		line->bytes[line->n++] = (unsigned char)text_take_number(rest, 2);
	if (swapped && digits == 4) {
		unsigned char low = line->bytes[first + 1];

		line->bytes[first + 1] = line->bytes[first];
		line->bytes[first] = low;
	}
	return true;
}

/*
 * Takes groups of digits with at most `gap` blanks between them. The dump's column of characters,
 * which comes next, may look like groups, too, but has more blanks before it.
 */
static void text_take_groups(struct text_line *line, struct text_rest *rest, size_t gap,
			     bool swapped)
{
	const char *after = rest->at;

	while (text_take_group(line, rest, swapped)) {
		after = rest->at;
		if (text_skip_blanks(rest, gap) == 0)
			break;
	}
	rest->at = after;
}

/* Whether a group of four digits comes next, of which two bytes are one word. */
static bool text_has_words(const struct text_rest *rest)
{
	return text_count_digits(rest) == 4;
}

/* A line that begins with an address of 4 to 16 digits. */
static bool text_read_addressed(struct text_line *line, struct text_rest rest)
{
	size_t digits = text_count_digits(&rest), blanks;
	const char *start = rest.at;

	if (digits < 4 || digits > 16)
		return false;
	line->digits = (unsigned)digits;
	line->address = text_take_number(&rest, digits);
	line->octal = 0;
	for (size_t i = 0; i < digits && line->octal != UINT64_MAX; i++)
		line->octal =
			start[i] > '7' ? UINT64_MAX : line->octal << 3 | (uint64_t)(start[i] - '0');
	if (text_take_word(&rest, ":")) {
		line->form = TEXT_COLON;
		if (text_skip_blanks(&rest, 2) > 0)
			text_take_groups(line, &rest, 1, false);
		return line->n > 0;
	}
	blanks = text_skip_blanks(&rest, 3);
	line->form = digits == 8 && blanks != 1 ? TEXT_HEXDUMP : TEXT_OD;
	if (rest.at == rest.end)
		return digits >= 7;
	if (blanks == 0)
		return false;
	if (line->form == TEXT_HEXDUMP)
		text_take_groups(line, &rest, 2, false);
	else
		text_take_groups(line, &rest, 4, text_has_words(&rest));
	return line->n > 0 && (rest.at == rest.end || line->form == TEXT_HEXDUMP ||
			       text_skip_blanks(&rest, 2) == 2);
}

/* Bytes alone: at least two groups, and nothing else. */
static bool text_read_bare(struct text_line *line, struct text_rest rest)
{
	text_skip_blanks(&rest, 2);
	if (text_count_digits(&rest) != 2)
		return false;
	line->form = TEXT_BARE;
	text_take_groups(line, &rest, 1, false);
	return line->n > 1 && rest.at == rest.end;
}

/* Takes pairs of digits to the end of the line. False if there is anything else, or too much. */
static bool text_take_pairs(struct text_line *line, struct text_rest *rest)
{
	size_t digits = text_count_digits(rest);

	if (rest->at + digits != rest->end || digits % 2 != 0 || digits / 2 > TEXT_LINE_BYTES)
		return false;
	while (rest->at < rest->end)
		line->bytes[line->n++] = (unsigned char)text_take_number(rest, 2);
	return true;
}

static uint64_t text_big_endian(const unsigned char *bytes, size_t n)
{
	uint64_t value = 0;

	for (size_t i = 0; i < n; i++)
		value = value << 8 | bytes[i];
	return value;
}

/* Removes the bytes of a record around its data: `head` before them, and the check sum. */
static void text_keep_data(struct text_line *line, size_t head)
{
	line->n -= head + 1;
	memmove(line->bytes, line->bytes + head, line->n);
}

/* :LLAAAATT, data, check sum: all bytes add up to 0. */
static bool text_read_intel(struct text_line *line, struct text_rest rest)
{
	enum { DATA, END, SEGMENT, START_SEGMENT, LINEAR, START_LINEAR, HEAD = 4 };
	unsigned sum = 0;
	uint64_t value;

	if (!text_take_word(&rest, ":") || !text_take_pairs(line, &rest) || line->n < HEAD + 1 ||
	    line->bytes[0] != line->n - HEAD - 1 || line->bytes[3] > START_LINEAR)
		return false;
	for (size_t i = 0; i < line->n; i++)
		sum += line->bytes[i];
	line->form = TEXT_INTEL;
	line->damaged = (sum & 0xff) != 0;
	line->address = text_big_endian(line->bytes + 1, 2);
	value = text_big_endian(line->bytes + HEAD, line->n - HEAD - 1);
	switch (line->bytes[3]) {
	case DATA:
		break;
	case END:
		line->part = TEXT_END;
		break;
	case SEGMENT:
	case LINEAR:
		line->address = value << (line->bytes[3] == LINEAR ? 16 : 4);
		line->part = TEXT_SEGMENT;
		break;
	default:
		line->part = TEXT_IGNORED;
	}
	text_keep_data(line, HEAD);
	return true;
}

/* S, type, length, address, data, check sum: all bytes add up to 0xff. */
static bool text_read_s(struct text_line *line, struct text_rest rest)
{
	static const unsigned char address_bytes[] = { 2, 2, 3, 4, 0, 2, 3, 4, 3, 2 };
	unsigned sum = 0, type;

	if (!text_take_word(&rest, "S") || rest.at == rest.end || *rest.at < '0' || *rest.at > '9')
		return false;
	type = (unsigned)(*rest.at++ - '0');
	if (!text_take_pairs(line, &rest) || line->n < address_bytes[type] + 2u ||
	    line->bytes[0] != line->n - 1)
		return false;
	for (size_t i = 0; i < line->n; i++)
		sum += line->bytes[i];
	line->form = TEXT_S;
	line->damaged = (sum & 0xff) != 0xff;
	line->address = text_big_endian(line->bytes + 1, address_bytes[type]);
	line->part = type >= 7 ? TEXT_END : type >= 1 && type <= 3 ? TEXT_BYTES : TEXT_IGNORED;
	text_keep_data(line, address_bytes[type] + 1u);
	return true;
}

static int text_base64_value(char c)
{
	static const char letters[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	const char *found = c ? strchr(letters, c) : NULL;

	return found ? (int)(found - letters) : -1;
}

/* Decodes groups of four characters up to a colon. */
static bool text_take_base64(struct text_line *line, struct text_rest *rest)
{
	while (rest->end - rest->at >= 4 && *rest->at != ':') {
		uint32_t value = 0;
		unsigned filled = 0;

		for (int i = 0; i < 4; i++) {
			int digit = text_base64_value(rest->at[i]);

			if (digit < 0 && (rest->at[i] != '=' || i < 2))
				return false;
			filled += digit < 0;
			value = value << 6 | (uint32_t)(digit < 0 ? 0 : digit);
		}
		if (line->n + 3 > TEXT_LINE_BYTES)
			return false;
		for (unsigned i = 0; i + filled < 3; i++)
			line->bytes[line->n++] = (unsigned char)(value >> (16 - 8 * i));
		rest->at += 4;
	}
	return line->n > 0;
}

/* Takes a number of bytes, to the end of the line. */
static bool text_take_length(struct text_line *line, struct text_rest *rest)
{
	for (; rest->at < rest->end && *rest->at >= '0' && *rest->at <= '9' &&
	       line->address < UINT32_MAX;
	     rest->at++)
		line->address = 10 * line->address + (uint64_t)(*rest->at - '0');
	return rest->at == rest->end;
}

static bool text_read_own(struct text_line *line, struct text_rest rest)
{
	size_t n;

	line->form = TEXT_OWN;
	if (text_take_word(&rest, GMON_TEXT_BEGIN)) {
		line->part = TEXT_LENGTH;
		return text_take_length(line, &rest);
	}
	if (text_take_word(&rest, GMON_TEXT_BEGIN_STACKS)) {
		line->part = TEXT_STACKS;
		return text_take_length(line, &rest);
	}
	if (text_take_word(&rest, GMON_TEXT_END)) {
		line->part = TEXT_END;
		n = text_count_digits(&rest);
		line->address = n == 8 ? text_take_number(&rest, n) : UINT64_MAX;
		return rest.at == rest.end;
	}
	if (!text_take_base64(line, &rest) || !text_take_word(&rest, ":") ||
	    text_count_digits(&rest) != 4)
		return false;
	line->sum = (uint16_t)text_take_number(&rest, 4);
	return rest.at == rest.end;
}

/* Skips "[12:34:56.789] ", with which terminal programs begin lines. */
static void text_skip_time(struct text_rest *rest)
{
	const char *end = memchr(rest->at, ']', (size_t)(rest->end - rest->at));

	if (rest->at == rest->end || *rest->at != '[' || !end)
		return;
	rest->at = end + 1;
	text_skip_blanks(rest, 1);
}

void text_line_read(struct text_line *line, const char *text, size_t size)
{
	static bool (*const readers[])(struct text_line *, struct text_rest) = {
		text_read_own, text_read_intel, text_read_s, text_read_addressed, text_read_bare
	};
	struct text_rest rest = { text, text + size };

	while (rest.at < rest.end && strchr("\r \t", rest.end[-1]))
		rest.end--;
	text_skip_time(&rest);
	if (rest.end - rest.at == 1 && *rest.at == '*') {
		*line = (struct text_line){ .form = TEXT_HEXDUMP, .part = TEXT_SAME };
		return;
	}
	for (size_t i = 0; i < sizeof(readers) / sizeof(readers[0]); i++) {
		line->form = TEXT_NOISE;
		line->part = TEXT_BYTES;
		line->address = line->octal = 0;
		line->digits = 0;
		line->damaged = false;
		line->n = 0;
		if (readers[i](line, rest))
			return;
	}
	line->form = TEXT_NOISE;
}
