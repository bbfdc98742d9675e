/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Debug information says where a function begins; where it ends is guessed from its source text. */
#include "config.h"

#include "base/textlines.h"

#include <stdbool.h>
#include <string.h>
#include <strings.h>

enum { ABOVE = 12, BELOW = 200, UNENDED = 40, TAB = 8 };

struct textlines textlines_find(const char *bytes, size_t size, struct arena *mem)
{
	struct textlines lines = { NULL, 0 };
	const char *end = bytes + size;
	size_t n = 1;

	for (const char *c = bytes; c < end; c++)
		n += *c == '\n';
	lines.start = arena_array(mem, const char *, n + 2);
	for (const char *c = bytes; c < end; lines.n++) {
		const char *newline = memchr(c, '\n', (size_t)(end - c));

		lines.start[lines.n + 1] = c;
		c = newline ? newline + 1 : end;
	}
	lines.start[lines.n + 1] = end;
	return lines;
}

/*
 * Returns the text of a line after its indentation, and sets *indent to the width of that in
 * columns.
 */
static const char *textlines_first_word(const struct textlines *lines, unsigned line,
					unsigned *indent)
{
	const char *c = lines->start[line], *end = lines->start[line + 1];

	for (*indent = 0; c < end && (*c == ' ' || *c == '\t'); c++)
		*indent += *c == '\t' ? TAB : 1;
	return c;
}

static bool textlines_begins(const struct textlines *lines, unsigned line, const char *at,
			     const char *word)
{
	size_t room = (size_t)(lines->start[line + 1] - at), n = strlen(word);

	return room >= n && strncasecmp(at, word, n) == 0;
}

static bool textlines_is_apart(const struct textlines *lines, unsigned line)
{
	unsigned indent;
	const char *at = textlines_first_word(lines, line, &indent);

	return at == lines->start[line + 1] || *at == '\n' || *at == '\r' || *at == '}' ||
	       *at == '#';
}

unsigned textlines_first(const struct textlines *lines, unsigned line)
{
	unsigned first = line;

	while (first > 1 && line - first < ABOVE && !textlines_is_apart(lines, first - 1))
		first--;
	return first;
}

unsigned textlines_last(const struct textlines *lines, unsigned line)
{
	unsigned margin, last = line;

	textlines_first_word(lines, line, &margin);
	while (last < lines->n && last - line < BELOW) {
		unsigned indent;
		const char *at = textlines_first_word(lines, ++last, &indent);

		if (indent <= margin && (textlines_begins(lines, last, at, "}") ||
					 textlines_begins(lines, last, at, "end")))
			return last;
	}
	return last - line < UNENDED ? last : line + UNENDED;
}
