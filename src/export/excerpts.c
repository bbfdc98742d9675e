/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Debug information says where a function begins; where it ends is guessed from the text. */
#include "config.h"

#include "export/excerpts.h"

#include "base/sort.h"

#include <string.h>
#include <strings.h>

enum { ABOVE = 12, BELOW = 200, UNENDED = 40, AROUND = 5, TAB = 8 };

/* Where the lines of a file begin, from 1; behind the last, the end. */
struct excerpts_lines {
	const char **start;
	unsigned n; /* 0: not found, or not looked at */
};

struct excerpts_cutter {
	const struct export_view *e;
	const uint32_t *number;
	struct excerpts_lines *file; /* by number */
	ARRAY(struct excerpt) found;
};

static void excerpts_find_lines(struct excerpts_lines *lines, const struct source_text *text,
				struct arena *mem)
{
	const char *end = text->bytes + text->size;
	size_t n = 1;

	for (const char *c = text->bytes; c < end; c++)
		n += *c == '\n';
	lines->start = arena_array(mem, const char *, n + 2);
	for (const char *c = text->bytes; c < end; lines->n++) {
		const char *newline = memchr(c, '\n', (size_t)(end - c));

		lines->start[lines->n + 1] = c;
		c = newline ? newline + 1 : end;
	}
	lines->start[lines->n + 1] = end;
}

/* The text of a line behind its indentation, whose width in columns goes to *indent. */
static const char *excerpts_first_word(const struct excerpts_lines *lines, unsigned line,
				       unsigned *indent)
{
	const char *c = lines->start[line], *end = lines->start[line + 1];

	for (*indent = 0; c < end && (*c == ' ' || *c == '\t'); c++)
		*indent += *c == '\t' ? TAB : 1;
	return c;
}

static bool excerpts_begins(const struct excerpts_lines *lines, unsigned line, const char *at,
			    const char *word)
{
	size_t room = (size_t)(lines->start[line + 1] - at), n = strlen(word);

	return room >= n && strncasecmp(at, word, n) == 0;
}

static bool excerpts_is_apart(const struct excerpts_lines *lines, unsigned line)
{
	unsigned indent;
	const char *at = excerpts_first_word(lines, line, &indent);

	return at == lines->start[line + 1] || *at == '\n' || *at == '\r' || *at == '}' ||
	       *at == '#';
}

static unsigned excerpts_find_first(const struct excerpts_lines *lines, unsigned line)
{
	unsigned first = line;

	while (first > 1 && line - first < ABOVE && !excerpts_is_apart(lines, first - 1))
		first--;
	return first;
}

static unsigned excerpts_find_last(const struct excerpts_lines *lines, unsigned line)
{
	unsigned margin, last = line;

	excerpts_first_word(lines, line, &margin);
	while (last < lines->n && last - line < BELOW) {
		unsigned indent;
		const char *at = excerpts_first_word(lines, ++last, &indent);

		if (indent <= margin && (excerpts_begins(lines, last, at, "}") ||
					 excerpts_begins(lines, last, at, "end")))
			return last;
	}
	return last - line < UNENDED ? last : line + UNENDED;
}

/* Cuts out the symbol's excerpt and keeps it if it has at most max bytes. Returns its size. */
static size_t excerpts_cut(struct excerpts_cutter *c, sym_id s, size_t max)
{
	const struct source_text *text = &c->e->sources[s];
	struct excerpts_lines *lines = &c->file[c->number[s]];
	unsigned line = c->e->locations[s].line, first, last;
	size_t size;

	if (!text->bytes || line == 0)
		return 0;
	if (!lines->start)
		excerpts_find_lines(lines, text, c->e->mem);
	if (line > lines->n)
		return 0;
	first = excerpts_find_first(lines, line);
	last = excerpts_find_last(lines, line);
	size = (size_t)(lines->start[last + 1] - lines->start[first]);
	if (size <= max) {
		array_push(c->e->mem, &c->found) = (struct excerpt){
			.file = c->number[s], .line = first, .at = lines->start[first], .size = size
		};
	}
	return size;
}

static int excerpts_by_time(uint32_t x, uint32_t y, const void *context)
{
	const struct export_view *e = context;

	if (e->amounts->self[x] != e->amounts->self[y])
		return e->amounts->self[x] > e->amounts->self[y] ? -1 : 1;
	return 0;
}

static int excerpts_by_place(uint32_t x, uint32_t y, const void *context)
{
	const struct excerpt *a = (const struct excerpt *)context + x;
	const struct excerpt *b = (const struct excerpt *)context + y;

	if (a->file != b->file)
		return a->file < b->file ? -1 : 1;
	return (a->line > b->line) - (a->line < b->line);
}

/* In order of files and lines; those that share lines are joined. */
static struct excerpts excerpts_join(const struct excerpts_cutter *c)
{
	size_t n = c->found.n, kept = 0;
	struct excerpt *sorted = arena_array(c->e->mem, struct excerpt, n);
	uint32_t *order = arena_array(c->e->mem, uint32_t, n);

	for (uint32_t i = 0; i < n; i++)
		order[i] = i;
	sort_ids(order, n, excerpts_by_place, c->found.at, c->e->mem);
	for (size_t i = 0; i < n; i++) {
		const struct excerpt *next = &c->found.at[order[i]];
		struct excerpt *last = &sorted[kept ? kept - 1 : 0];

		if (kept && last->file == next->file && next->at < last->at + last->size) {
			size_t size = (size_t)(next->at - last->at) + next->size;

			if (size > last->size)
				last->size = size;
		} else {
			sorted[kept++] = *next;
		}
	}
	return (struct excerpts){ sorted, kept };
}

struct excerpts excerpts_make(const struct export_view *e, const uint32_t *number, size_t max)
{
	struct excerpts_cutter c = { .e = e, .number = number };
	uint32_t *order = arena_array(e->mem, uint32_t, e->amounts->nlisted);

	if (!e->sources)
		return (struct excerpts){ NULL, 0 };
	c.file = arena_array(e->mem, struct excerpts_lines, (size_t)e->amounts->nlisted + 1);
	for (uint32_t i = 0; i < e->amounts->nlisted; i++)
		order[i] = e->amounts->listed[i];
	sort_ids(order, e->amounts->nlisted, excerpts_by_time, e, e->mem);
	for (uint32_t i = 0; i < e->amounts->nlisted; i++) {
		size_t size = excerpts_cut(&c, order[i], max);

		if (size > max)
			break;
		max -= size;
	}
	return excerpts_join(&c);
}
