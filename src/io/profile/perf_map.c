/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/profile/perf_map.h"

/* Reads a number in hexadecimal, with or without 0x, and the blank after it. */
static bool perf_map_number(const char **at, const char *end, uint64_t *number)
{
	const char *s = *at;
	unsigned digits = 0;

	if (end - s > 2 && s[0] == '0' && s[1] == 'x')
		s += 2;
	for (*number = 0; s < end && digits <= 16; s++, digits++) {
		unsigned c = (unsigned char)*s;
		unsigned digit = c - '0' < 10u ? c - '0' : (c | 0x20) - 'a' + 10;

		if (c - '0' >= 10u && (c | 0x20) - 'a' >= 6u)
			break;
		*number = *number << 4 | digit;
	}
	if (digits == 0 || digits > 16 || s == end || *s != ' ')
		return false;
	*at = s + 1;
	return true;
}

static void perf_map_take_line(struct made_names *names, const char *at, const char *end)
{
	uint64_t start, size;

	if (perf_map_number(&at, end, &start) && perf_map_number(&at, end, &size) && at < end)
		made_names_add(names, start, size, at, (size_t)(end - at));
}

void perf_map_apply(struct made_names *names, const char *text, size_t n)
{
	while (n > 0 && names->pc.n > 0) {
		const char *end = text + n, *line = end;

		while (line > text && line[-1] != '\n')
			line--;
		perf_map_take_line(names, line, end);
		n = line > text ? (size_t)(line - 1 - text) : 0;
	}
}
